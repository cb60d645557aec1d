"""The page that searches every turn: its terms are the command line's, its index holds what is on the site."""

import json
from pathlib import Path

import pytest

from awf_archive.search.analysis import Form, tokens
from awf_archive.site_builder.build import How, build
from awf_archive.site_builder.full_text import _packed, shard_of
from awf_archive.site_builder.places import templates

WORDS = json.loads((Path(__file__).parent / "words.json").read_bytes())


def looked_for(text: str) -> list[str]:
    """Return a query's terms as the command line cuts it, without the characters that only bridge a phrase."""
    found = list(tokens(text, mode="query"))
    runs = {token.start: token.end for token in found if len(token.text) > 1}
    ends = set(runs.values())
    return [
        token.text
        for token in found
        if token.form is Form.PLAIN
        and not (len(token.text) == 1 and ord(token.text) >= 0x1100 and token.end in ends)
    ]


@pytest.mark.browser
def test_javascript_cuts_words_as_python_does(browser):
    page = browser.new_page()
    page.add_script_tag(path=templates() / "docs/assets/awf-words.js")

    cut = page.evaluate("texts => texts.map(text => awfWords.terms(text))", WORDS)

    page.close()
    assert dict(zip(WORDS, cut, strict=True)) == {text: looked_for(text) for text in WORDS}


def test_numbers_are_packed_as_gaps_without_a_surrogate():
    packed = _packed([0, 1, 5, 70_000])

    assert [ord(mark) for mark in packed] == [33, 33, 36, 69_995 + 32 + 0x800]


def test_everything_a_word_may_become_lies_in_one_shard():
    assert {shard_of(term, 256) for term in ("qu", "quyet", "queri")} == {shard_of("quy", 256)}


@pytest.fixture
def searched(small, browser):
    build(small.layout)
    page = browser.new_page()
    page.site = small.layout.site
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    yield page
    assert page.errors == []
    page.close()


def find(page, words: str, start: str = "") -> list[str]:
    page.goto(f"{start or page.site.as_uri()}/search/index.html")
    page.fill("input[name=words]", words)
    page.locator("[data-awf=find] output:not(:empty)").wait_for(state="attached")
    return [link.get_attribute("href") for link in page.locator("[data-awf=found] a").all()]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("quyet dinh dung", "session-001/index.html?w=quyet%20dinh%20dung#turn-003"),
        ("令牌", "session-001/index.html?w=%E4%BB%A4%E7%89%8C#turn-001"),
        ("whoo", "session-002/index.html?w=whoo#turn-001"),
    ],
    ids=["without marks", "Chinese", "a word's beginning"],
)
def test_a_turn_is_found_from_the_disk(searched, words, place):
    assert any(link.endswith(place) for link in find(searched, words))


@pytest.mark.browser
def test_the_turn_opens_with_the_words_marked(searched):
    find(searched, "quyet dinh")

    assert searched.locator("[data-awf=found] mark").first.inner_text() == "Quyết"
    with searched.expect_navigation():
        searched.locator("[data-awf=found] a", has_text="dùng tệp").first.click()
    searched.wait_for_selector("mark.awf-mark")
    assert "#turn-003" in searched.url
    assert searched.locator("mark.awf-mark").first.inner_text() == "Quyết"


@pytest.mark.browser
def test_nothing_found_is_said_and_filters_narrow(searched):
    assert find(searched, "zebra") == []
    assert searched.get_by_text("Nothing holds all these words.").is_visible()
    assert find(searched, "files")
    searched.select_option("select[name=kind]", "decision")
    searched.locator("[data-awf=find] output", has_text="1 hit").wait_for()
    assert "decisions/block-user/d-001/" in searched.locator("[data-awf=found] a").first.get_attribute("href")


@pytest.mark.browser
def test_what_is_new_is_found_before_the_shards_are_made_again(small, turn, searched, serve):
    shards = {
        path: path.stat().st_mtime_ns for path in (small.layout.site / "search/full").glob("[0-9t]*.js")
    }
    small.save("block-user", [turn("the purple elephant")], title="Third")

    build(small.layout)

    assert {path: path.stat().st_mtime_ns for path in shards} == shards
    assert any("session-003" in link for link in find(searched, "elephants", serve(small.layout.site)))


def test_a_session_that_is_gone_is_found_no_more(small):
    build(small.layout)
    small.commit("block-user", small.manifests["block-user"].sessions[:1])

    build(small.layout)

    delta = (small.layout.site / "search/full/delta.js").read_text("utf-8")
    assert "features/block-user/session-002" in delta


def test_a_full_build_makes_the_shards_again(small, turn):
    build(small.layout)
    small.save("block-user", [turn("the purple elephant")], title="Third")

    build(small.layout, how=How(full=True))

    assert "session-003" in (small.layout.site / "search/full/table.js").read_text("utf-8")


def test_the_words_can_be_left_out(small):
    build(small.layout, how=How(with_words=False))

    assert not (small.layout.site / "search/full").exists()
    assert not (small.layout.site / "features/block-user/session-001/texts.js").exists()


def test_words_that_were_left_out_are_there_when_they_are_wanted_again(small):
    build(small.layout, how=How(with_words=False))

    build(small.layout)

    later = index_of(small)
    build(small.layout, how=How(full=True))
    assert later == index_of(small)
    assert (small.layout.site / "features/block-user/session-001/texts.js").exists()


def test_a_session_saved_while_words_were_left_out_is_found_later(small, turn):
    build(small.layout)
    small.save("block-user", [turn("the purple elephant")], title="Third")
    build(small.layout, how=How(with_words=False))

    build(small.layout)

    assert "eleph" in "".join(index_of(small).values())


def index_of(archive) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in (archive.layout.site / "search/full").glob("*.js")}
