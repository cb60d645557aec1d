import re
import string
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from awf_archive.domain.wording import choose
from awf_archive.render import markdown
from awf_archive.render.clean import clean, title
from awf_archive.render.markdown import Kind, render_markdown
from awf_archive.render.sheet import Sheet

KINDS = pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)

MARKUP = [
    "# ", "## ", "- ", "* ", "1. ", "1) ", "> ", "    ", "\t", "```", "~~~", "`", "``", "**", "_", "~~", "---", "===",
    "| ", " | ", "|---|", "[", "](", ")", "![", "](http://e.org)", "<", ">", "</", "<script>", "<!--", "-->", "&lt;",
    "&#106;", "javascript:", "http://e.org/", "https://", "mailto:", "data:", "//", "[x]: ", "{#id}", "\\", "\n", "\n\n",
    "\r\n", " ", "word", "từ", "词", "\x1b[31m", "\u202e", "\x00", "\ufeff", "\ud800", "&", '"', "'", "=", "onclick=",
]  # fmt: skip
markdown_like = st.lists(st.sampled_from(MARKUP) | st.text(max_size=8), max_size=60).map("".join)
texts = markdown_like | st.text(max_size=300)


def fresh() -> Sheet:
    return Sheet(words=choose("en"), name="turn-001")


@settings(deadline=None)  # a loaded machine is no failure
@given(text=texts, kind=st.sampled_from(list(Kind)))
def test_any_text_becomes_html_that_holds_only_what_we_allow(inspect_html, text, kind):
    found = inspect_html(render_markdown(text, fresh(), kind))

    assert found.problems == []
    assert found.ids == Counter()


@settings(deadline=None)  # a loaded machine is no failure
@given(text=texts, kind=st.sampled_from(list(Kind)))
def test_no_letter_of_a_text_is_lost(inspect_html, text, kind):
    found = inspect_html(render_markdown(text, fresh(), kind))

    shown = Counter("".join(found.words).casefold())
    said = Counter(mark for mark in clean(text).casefold() if mark.isalpha())
    missing = {mark: n for mark, n in said.items() if shown[mark] < n}
    assert not missing


@settings(deadline=None)  # a loaded machine is no failure
@given(text=texts)
def test_html_is_valid_utf8_without_controls(text):
    html = render_markdown(text, fresh())

    html.encode()
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]", html)


@settings(deadline=None)  # a loaded machine is no failure
@given(text=st.text())
def test_a_title_is_one_harmless_line(text):
    shown = title(text)

    assert not set(shown) & set("<>&\"'`{}\n\r\t\x00\x1b")
    assert len(shown) <= 120
    shown.encode()


@KINDS
def test_snippets_that_broke_pages_break_nothing(snippet, kind, inspect):
    found = inspect(render_markdown(snippet["text"], fresh(), kind))

    assert found.problems == []


@pytest.mark.parametrize(
    ("text", "html"),
    [
        pytest.param("# a", "<h4>a</h4>", id="headings stay below ours"),
        pytest.param("###### a", "<h6>a</h6>", id="and never go below h6"),
        pytest.param("List<String>", "<p>List&lt;String&gt;</p>", id="generics"),
        pytest.param("&lt;b&gt; &copy;", "<p>&amp;lt;b&amp;gt; &amp;copy;</p>", id="entities show as typed"),
        pytest.param(
            "[a]: http://e.org", "<p>[a]: http://e.org</p>", id="link definitions are not swallowed"
        ),
        pytest.param("- [ ] a\n- [x] b", "<ul>\n<li>☐ a</li>\n<li>☑ b</li>\n</ul>", id="check lists"),
        pytest.param(
            "7. a\n9. b",
            '<ol start="7">\n<li value="7">a</li>\n<li value="9">b</li>\n</ol>',
            id="list numbers",
        ),
        pytest.param("a\nb", "<p>a<br>\nb</p>", id="line breaks of a chat"),
    ],
)
def test_markdown_reads_as_it_was_meant(text, html):
    assert render_markdown(text, fresh()).strip() == html


def test_lines_of_a_document_flow_and_backslashes_of_a_prompt_stay():
    assert render_markdown("a\nb", fresh(), Kind.DOCUMENT).strip() == "<p>a\nb</p>"
    assert render_markdown(r"C:\[x] \*", fresh(), Kind.PROMPT).strip() == r"<p>C:\[x] \*</p>"


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "//e.org",
        "/home/me/a.py", "../a.py", "#turn-002", "http:///x", "https://", "java\tscript:x", "ftp://e.org", "mailto:",
        "http://[::1", "\\\\srv\\x", "http://e.org\\@evil",
    ],
)  # fmt: skip
def test_a_link_leads_to_the_web_or_nowhere(target):
    assert markdown.safe_href(target) == ""


@pytest.mark.parametrize(
    "target", ["http://e.org", "https://e.org/a?b=1#c", "mailto:me@e.org", "https://vi.org/định"]
)
def test_links_to_the_web_and_mail_are_followed(target):
    assert markdown.safe_href(target)[:8] == target[:8]


def test_images_are_never_loaded(inspect):
    html = render_markdown("![a](http://e.org/x.png) [![b](x.png)](http://e.org)", fresh())

    assert "<img" not in html
    assert inspect(html).problems == []
    assert html.count("🖼") == 2


def test_surplus_cells_of_a_table_are_shown():
    html = render_markdown("| a | b |\n|---|---|\n| 1 | 2 | 3 | 4 |", fresh())

    assert "<td>2 | 3 | 4</td>" in html


def test_what_is_nested_too_deeply_is_shown_as_written(inspect):
    deep = "> " * 200 + "DEEP\n\nAFTER"

    found = inspect(render_markdown(deep, fresh()))

    assert found.problems == []
    assert "DEEP" in "".join(found.words)
    assert "AFTER" in "".join(found.words)


def test_a_long_line_is_cut_with_a_note_and_a_link_to_the_whole():
    sheet = fresh()

    html = render_markdown("x" * 30_000, sheet)

    assert "… 10,000 more characters" in html
    assert '<a href="full/turn-001-1.txt">' in html
    assert sheet.files == {"turn-001-1.txt": "x" * 30_000}


def test_a_message_of_a_megabyte_is_never_parsed(monkeypatch):
    monkeypatch.setattr(markdown, "_engine", lambda _kind: pytest.fail("parsed"))
    sheet = fresh()

    html = render_markdown("word **bold** " * 80_000, sheet)

    assert len(html) < 25_000
    assert len(sheet.files["turn-001-1.txt"]) == len("word **bold** ") * 80_000


def test_the_longest_text_that_is_parsed_makes_html_of_bounded_size():
    text = ("[" * 50 + "*a " * 50 + "\n") * 50

    assert len(render_markdown(text, fresh())) < 12 * len(text)


def test_code_is_highlighted_where_it_is_cheap_and_never_loses_a_character(inspect):
    code = "\n\ndef f(x):\n    return '<b>' # " + string.printable.replace("\n", "").replace("`", "")
    for language in ("python", "nosuchlang", 'py"onload=x', "c++"):
        found = inspect(render_markdown(f"```{language}\n{code}\n```", fresh()))

        assert found.problems == []
        assert clean(code).strip("\n") in "".join(found.words)


def test_an_info_line_stands_above_its_code():
    assert "awf-info" in render_markdown('```python title="a.py"\nx\n```', fresh())
    assert "awf-info" not in render_markdown("```python\nx\n```", fresh())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("\x1b[31mFAILED\x1b[0m tests", "FAILED tests", id="colours go, words stay (A09)"),
        pytest.param("\x1b]8;;http://evil/\x07link\x1b]8;;\x07", "link", id="terminal links"),
        pytest.param("\x02wzxhzdk:0\x03", "␂wzxhzdk:0␃", id="Python-Markdown's own marks (A09)"),
        pytest.param("a\u2028b\u2029c\x85d", "a\u2028b\u2029c\x85d", id="rare line ends survive (A07)"),
        pytest.param("lone \ud83d end", "lone \ufffd end", id="lone surrogates (A05)"),
        pytest.param("a\r\nb\rc", "a\nb\nc", id="line ends"),
        pytest.param("x\U000e0041y", "x⟦tag⟧y", id="tags that hide text"),
    ],
)
def test_unfit_characters_are_made_visible(text, shown):
    assert clean(text) == shown
