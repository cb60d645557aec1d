"""The site in a real Chromium: what a stranger's text may not do, and what a reader must be able to do."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from awf_archive.domain.transcript import ToolCall
from awf_archive.site_builder.build import build
from awf_archive.store.layout import Layout

pytestmark = pytest.mark.browser

SHARED = Path(__file__).resolve().parents[3] / "shared" / "cases"
OWN_SNIPPETS = Path(__file__).resolve().parents[1] / "render" / "snippets.json"

PROBLEMS = """() => {
  const found = [];
  const article = document.querySelector('article');
  const next = document.getElementById('turn-003');
  const seen = element => {
    const box = element && element.getBoundingClientRect();
    return Boolean(box && box.width && box.height && getComputedStyle(element).visibility === 'visible');
  };
  if (window.__pwned) found.push('ran ' + window.__pwned);
  if (!seen(next)) found.push('next turn not visible');
  if (next && !article.contains(next)) found.push('next turn outside the article');
  const body = next && next.closest('section').querySelector('.awf-assistant');
  if (!seen(body) || !body.innerText.includes('NEXT-TURN-VISIBLE')) found.push('next text not visible');
  const ids = [...document.querySelectorAll('[id]')].map(one => one.id);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  if (twice.length) found.push('ids twice ' + twice);
  if (document.querySelectorAll('h1').length !== 1) found.push('h1');
  for (const one of article.querySelectorAll('*')) {
    for (const attribute of one.attributes)
      if (/^on/i.test(attribute.name)) found.push(attribute.name);
    if (/^(SCRIPT|IFRAME|OBJECT|EMBED|FORM|BASE|META|LINK|STYLE|TEXTAREA|INPUT|TITLE|FRAME|PLAINTEXT)$/.test(one.tagName))
      found.push('<' + one.tagName + '>');
    const href = one.getAttribute('href');
    if (href !== null && !/^(https?:\\/\\/|mailto:|#turn-|full\\/|files\\/|[.][.]\\/|index[.]html|page-)/.test(href))
      found.push('href ' + href);
  }
  if (!seen(document.querySelector('footer'))) found.push('no footer');
  if (!document.title.startsWith('Title of ours')) found.push('title ' + document.title);
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth)
    found.push('overflow ' + document.documentElement.scrollWidth);
  return found;
}"""


def all_snippets() -> list[dict[str, str]]:
    shared = SHARED / "site-snippets.json"
    return json.loads((shared if shared.is_file() else OWN_SNIPPETS).read_bytes())


SNIPPETS = all_snippets()


@pytest.fixture(scope="module")
def snippet_site(tmp_path_factory, make_archive, make_turn):
    """Each snippet between two other turns, as a prompt, as an answer and as what a tool printed."""
    archive = make_archive(tmp_path_factory.mktemp("snippets"))
    for snippet in SNIPPETS:
        text = snippet["text"]
        tool = ToolCall(id="c", name="Bash", input={"command": text}, result=None)
        turns = [
            make_turn("before"),
            make_turn(text, [*make_turn("", text).assistant, tool]),
            make_turn("after", "NEXT-TURN-VISIBLE"),
        ]
        archive.save("snippets", turns, title="Title of ours")
    report = build(archive.layout)
    assert report.warnings == ()
    return archive.layout.site


@pytest.mark.shared
@pytest.mark.parametrize("number", range(len(SNIPPETS)), ids=[one["name"] for one in SNIPPETS])
def test_a_snippet_that_broke_pages_breaks_nothing(snippet_site, browser, number):
    path = snippet_site / f"features/snippets/session-{number + 1:03d}/index.html"
    problems = []
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    watch(page, problems, snippet_site)
    page.goto(path.as_uri())
    page.wait_for_timeout(100)
    for width, is_open in ((1280, False), (1280, True), (390, True), (390, False)):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate(
            "open => document.querySelectorAll('details').forEach(one => { one.open = open; })", is_open
        )
        problems += page.evaluate(PROBLEMS)
    page.close()

    assert problems == []


def watch(page, problems: list[str], site: Path) -> None:
    """Add whatever a page does that it should not do to `problems`."""

    def asked(request) -> None:
        if not request.url.startswith((site.as_uri(), "blob:", "data:")):
            problems.append(f"asked {request.url}")

    def spoke(dialog) -> None:
        problems.append(f"dialog {dialog.message}")
        dialog.dismiss()

    page.on("request", asked)
    page.on("dialog", spoke)
    page.on("pageerror", lambda error: problems.append(f"error {error}"))


@pytest.fixture
def page(small, browser):
    build(small.layout)
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.site = small.layout.site
    yield page
    context.close()


def at(page, path: str) -> str:
    return (page.site / path).as_uri()


def test_the_bar_hides_answers_and_remembers_it_on_the_next_page(page):
    page.goto(at(page, "features/block-user/session-001/index.html"))
    page.click("text=Prompts only")

    hidden = page.locator(".awf-message.awf-assistant").first.is_hidden()
    page.goto(at(page, "features/block-user/session-002/index.html"))

    assert hidden
    assert page.locator(".awf-message.awf-assistant").first.is_hidden()
    assert page.get_attribute("[data-view=prompts]", "aria-pressed") == "true"


def test_keys_walk_through_the_turns(page):
    page.goto(at(page, "features/block-user/session-001/index.html"))

    for turn in ("#turn-001", "#turn-002", "#turn-003"):
        page.keyboard.press("j")
        page.wait_for_function("turn => location.hash === turn", arg=turn)

    assert page.evaluate("location.hash") == "#turn-003"


def test_every_page_reads_without_javascript(small, browser):
    build(small.layout)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((small.layout.site / "features/block-user/session-001/index.html").as_uri())

    assert page.get_by_text("Quyết định: dùng tệp").first.is_visible()
    assert page.locator(".awf-bar").is_hidden()
    page.goto((small.layout.site / "decisions/index.html").as_uri())
    assert page.get_by_text("Store: files").first.is_visible()
    context.close()


def test_a_global_number_leads_to_its_turn(page):
    page.goto(at(page, "t/index.html") + "#block-user-4")
    page.wait_for_url("**/session-002/index.html#turn-001")


def test_an_unknown_global_number_is_told(page):
    page.goto(at(page, "t/index.html") + "#block-user-999")

    assert page.get_by_text("This turn is not on the site.").is_visible()


def test_a_link_that_names_another_page_of_the_session_leads_to_the_turn(archive, turn, browser):
    archive.save("long", [turn(f"question {n}") for n in range(1, 302)])
    build(archive.layout)
    page = browser.new_page()
    start = (archive.layout.site / "features/long/session-001/index.html").as_uri()

    page.goto(f"{start}#turn-250")
    page.wait_for_url("**/page-2.html#turn-250")
    page.goto(f"{start}#turn-999")
    page.wait_for_url("**/page-2.html#turn-999")
    assert page.locator("#turn-301").is_visible()
    page.close()


@pytest.mark.parametrize("place", ["#turn-099", "#turn-000", "#nothing", ""])
def test_an_old_address_of_a_turn_that_never_was_leads_to_the_session(archive, turn, browser, place):
    archive.save("block-user", [turn("first"), turn("second")])
    archive.save("login", [turn("first"), turn("second")])
    archive.put_away("block-user", "session-001", ("login", 1))
    build(archive.layout)
    page = browser.new_page()

    page.goto((archive.layout.site / "features/block-user/session-001/index.html").as_uri() + place)

    page.wait_for_url("**/features/login/session-001/index.html")
    page.close()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_the_old_address_of_a_moved_turn_leads_to_the_turn(archive, turn, browser, scripts):
    archive.save("block-user", [turn("first"), turn("second")])
    archive.save("login", [turn("another")])
    archive.save("login", [turn("first"), turn("second")])
    archive.put_away("block-user", "session-001", ("login", 2))
    build(archive.layout)
    page = browser.new_page(java_script_enabled=scripts)

    page.goto((archive.layout.site / "features/block-user/session-001/index.html").as_uri() + "#turn-002")
    if scripts:
        page.wait_for_url("**/features/login/session-002/index.html#turn-002")
    else:
        page.click("[data-awf=moved] a")
        page.wait_for_url("**/features/login/session-002/index.html")

    assert page.locator("#turn-002").is_visible()
    page.close()


def test_decisions_are_filtered_without_marks(small, browser):
    small.decide("block-user", "Quyết định: dùng tệp", 3)
    build(small.layout)
    page = browser.new_page()
    page.goto((small.layout.site / "decisions/index.html").as_uri())

    page.fill("input[name=words]", "quyet dinh")
    assert page.locator("[data-awf=filtered] > li").first.is_visible()
    page.fill("input[name=words]", "nothing of the kind")
    assert page.locator("[data-awf=filtered] > li").first.is_hidden()
    assert page.locator("[data-awf=group] h2").is_hidden()
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["index.html", "features/index.html", "features/block-user/index.html",
                                  "features/block-user/session-001/index.html", "sessions/index.html",
                                  "decisions/index.html", "t/index.html", "404.html"])  # fmt: skip
def test_no_page_is_wider_than_a_phone_or_asks_elsewhere(small, browser, path, scheme):
    build(small.layout)
    asked = []
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto((small.layout.site / path).as_uri())

    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
    assert page.locator("h1").count() == 1
    context.close()


@pytest.mark.parametrize("gone", ["gone.html", "features/block-user/session-099/index.html", "t/gone/"])
def test_the_page_for_an_address_that_is_gone_leads_to_the_root_from_any_depth(page, gone):
    shown = page.site / (f"{gone}index.html" if gone.endswith("/") else gone)
    shown.parent.mkdir(parents=True, exist_ok=True)
    shown.write_bytes((page.site / "404.html").read_bytes())

    page.goto(at(page, str(shown.relative_to(page.site))))

    links = page.eval_on_selector_all("nav a", "links => links.map(one => one.href)")
    assert links == [at(page, one) for one in ("index.html", "search/index.html", "t/index.html")]


@pytest.mark.parametrize("width", [320, 390])
def test_nothing_jumps_when_scripts_take_over(page, width):
    page.set_viewport_size({"width": width, "height": 844})
    page.add_init_script(
        "window.shift = 0; new PerformanceObserver(list => list.getEntries().forEach(one => { shift += one.value }))"
        ".observe({type: 'layout-shift', buffered: true})"
    )
    for path in ("index.html", "decisions/index.html", "features/block-user/session-001/index.html"):
        page.goto(at(page, path))
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

        assert page.evaluate("shift") < 0.02, path


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_the_search_box_finds_without_marks(small, turn, browser, serve, scheme):
    small.save("block-user", [turn("hello")], title="Quyết định về <b>tệp</b> 数据库索引")
    build(small.layout)
    page = browser.new_page()
    errors = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    start = serve(small.layout.site) if scheme == "http" else small.layout.site.as_uri()
    for words in ("quyet dinh", "据库"):
        page.goto(f"{start}/index.html")
        page.focus("input[name=query]")
        page.locator("[data-md-toggle=search]:checked").wait_for(state="attached")
        page.wait_for_function(
            "!document.querySelector('.md-search-result__meta').innerText.includes('Init')"
        )
        page.keyboard.type(words)
        page.keyboard.press("End")  # Han characters come without a key, and Material waits for one
        found = page.locator(".md-search-result__item a").first
        found.wait_for(timeout=20_000)
        assert "session-003" in found.get_attribute("href")
        assert page.locator(".md-search-result b").count() == 0
    assert errors == []
    page.close()


def test_the_search_box_shows_the_lines_of_a_summary_that_hit(small, browser):
    points = "".join(
        f"- Turn {number}: about `part_{number}` and **nothing** else\n" for number in range(1, 40)
    )
    small.summarize(
        "block-user", 1, 3, f"# Summary\n\n## Important points\n{points}- Turn 3: the zebra <b>runs</b>\n"
    )
    build(small.layout)
    page = browser.new_page()
    page.goto(small.layout.site.as_uri() + "/index.html")
    page.focus("input[name=query]")
    page.locator("[data-md-toggle=search]:checked").wait_for(state="attached")
    page.wait_for_function("!document.querySelector('.md-search-result__meta').innerText.includes('Init')")

    page.keyboard.type("zebra")

    found = page.locator(".md-search-result__item").first
    found.wait_for(timeout=20_000)
    shown = found.inner_text()
    assert "the zebra <b>runs</b>" in shown
    assert len(shown) < 400
    assert "`" not in shown
    page.close()


@pytest.mark.shared
@pytest.mark.parametrize("case", ["K01", "K02", "K04"])
def test_reported_pages_show_every_turn(case, tmp_path, browser):
    folders = sorted(SHARED.glob(f"{case}-*"))
    if not folders:
        pytest.skip("../shared is not here")
    transcript = folders[0] / "input.jsonl"
    words = [sys.executable, "-m", "awf_archive", "checkpoint", "--transcript", str(transcript)]
    subprocess.run([*words, "--feature", "k", "--workspace", str(tmp_path)], check=True, capture_output=True)

    report = build(Layout(root=tmp_path))

    page = browser.new_page()
    page.goto((tmp_path / ".awf-archive/site/features/k/session-001/index.html").as_uri())
    turns = page.locator("section.awf-turn")
    assert report.warnings == ()
    assert turns.count() >= 2
    assert all(turns.nth(index).is_visible() for index in range(turns.count()))
    assert page.evaluate("document.querySelectorAll('pre section').length") == 0
    assert page.evaluate("window.__pwned") is None
    assert page.locator("h1").count() == 1
    if case == "K01":
        assert page.get_by_text("LAST-TURN-VISIBLE").first.is_visible()
        assert page.get_by_text("List<String>").count()
    if case == "K04":
        assert page.locator("h1").inner_text() == 'Xin chào: phần 2 #3 "trích" \\ [x]'
    page.close()
