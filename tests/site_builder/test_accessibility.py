"""Every kind of page, in both schemes: axe finds nothing serious, contrast included."""

from pathlib import Path

import pytest

from awf_archive.domain.transcript import Text, ToolCall, ToolResult
from awf_archive.site_builder.build import build

pytestmark = pytest.mark.browser

AXE = (Path(__file__).parent / "axe-core/axe.min.js").read_text("utf-8")
PAGES = (
    "index.html",
    "features/index.html",
    "features/block-user/index.html",
    "features/block-user/session-001/index.html",
    "features/block-user/session-003/index.html",
    "sessions/index.html",
    "decisions/index.html",
    "decisions/block-user/d-001/index.html",
    "timeline/index.html",
    "timeline/2026-01/index.html",
    "files/index.html",
    "topics/index.html",
    "statistics/index.html",
    "search/index.html?words=files",
    "t/index.html",
    "404.html",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory, make_archive, make_turn):
    archive = make_archive(tmp_path_factory.mktemp("axe"))
    archive.save(
        "block-user", [make_turn("Where are **files**?", "In [one](https://example.com) place.")], title="A"
    )
    archive.save("block-user", [make_turn("And search in files?", "Whoosh.")], title="Search files")
    call = ToolCall(
        id="c",
        name="Edit",
        input={"file_path": "src/a.py", "old_string": "a = 1", "new_string": "a = 2"},
        result=ToolResult(blocks=(Text(text="no such file"),), is_error=True),
    )
    code = Text(
        text="```python\ndef f(x: int) -> str:\n    return 'a'  # why\n```\n\n| a | b |\n|-|-|\n| 1 | `2` |"
    )
    archive.save("block-user", [make_turn("Search files again", (call, code))], title="Search files again")
    archive.summarize("block-user", 1, 3, "# Summary\n\n## Important points\n- Turn 3: files\n")
    archive.decide("block-user", "Store: files", 1)
    build(archive.layout)
    return archive.layout.site


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(site, browser, scheme):
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    found = []
    for path in PAGES:
        page.goto(f"{site.as_uri()}/{path}")
        if "?" in path:
            page.wait_for_selector("[data-awf=found] mark")
        page.evaluate("document.querySelectorAll('article details').forEach(one => { one.open = true; })")
        page.evaluate(AXE)
        result = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        found += [
            (path, one["id"], one["nodes"][0]["html"][:120])
            for one in result["violations"]
            if one["impact"] in {"serious", "critical"}
        ]
    context.close()

    assert found == []


def test_the_keyboard_reaches_search_bar_and_turns(site, browser):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{site.as_uri()}/features/block-user/session-003/index.html")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "(() => { const one = document.activeElement;"
                " return one.dataset.view || one.tagName + '.' + one.className; })()"
            )
        )
    page.close()

    assert {"prompts", "notools", "open", "keys"} <= reached
    assert any(name.startswith("SUMMARY") for name in reached)
    assert any("awf-copy" in name for name in reached)
