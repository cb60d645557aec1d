"""A sheet to render on, and a parser that says what is wrong with a piece of HTML."""

import json
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from awf_archive.domain.wording import choose
from awf_archive.render.sheet import Sheet

HERE = Path(__file__).parent
SHARED = HERE.parent.parent.parent / "shared" / "cases" / "site-snippets.json"

VOID = {"br", "hr", "img"}
ALLOWED = {
    **{tag: set() for tag in ["br", "hr", "em", "strong", "s", "blockquote", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "dt", "dd", "small"]},
    "p": {"class"}, "ul": {"class"}, "dl": {"class"}, "h2": {"id"}, "header": {"class"},
    "div": {"class", "tabindex", "role"}, "pre": set(), "code": {"class"}, "figure": {"class"},
    "span": {"class", "title"}, "a": {"href", "rel", "title", "download", "class"},
    "img": {"src", "alt", "loading"}, "ol": {"start"}, "li": {"value", "class"},
    "th": {"style"}, "td": {"style"}, "details": {"class", "open"}, "summary": set(),
    "section": {"class", "aria-labelledby"}, "time": {"datetime"},
}  # fmt: skip
STYLES = {"text-align:left", "text-align:right", "text-align:center"}


class Inspector(HTMLParser):
    """Collects what must not be in a rendered text, and the words that a reader sees."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.problems: list[str] = []
        self.stack: list[str] = []
        self.words: list[str] = []
        self.ids: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ALLOWED:
            self.problems.append(f"<{tag}>")
        for name, value in attrs:
            self._attribute(tag, name, value or "")
        if tag not in VOID:
            self.stack.append(tag)

    def _attribute(self, tag: str, name: str, value: str) -> None:
        if name not in ALLOWED.get(tag, set()):
            self.problems.append(f"{tag} {name}")
        if name == "id":
            self.ids[value] += 1
        if name == "style" and value not in STYLES:
            self.problems.append(f"style {value}")
        if name == "href" and not value.startswith(
            ("http://", "https://", "mailto:", "full/", "files/", "#turn-")
        ):
            self.problems.append(f"href {value}")
        if name == "src" and not value.startswith("files/"):
            self.problems.append(f"src {value}")
        if name in {"title", "alt", "href", "download"} or value.startswith("language-"):
            self.words.append(value)

    def handle_endtag(self, tag: str) -> None:
        if not self.stack or self.stack.pop() != tag:
            self.problems.append(f"</{tag}> closes something else")

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def handle_comment(self, data: str) -> None:
        self.problems.append(f"comment {data}")

    def handle_decl(self, decl: str) -> None:
        self.problems.append(f"declaration {decl}")

    def unknown_decl(self, data: str) -> None:
        self.problems.append(f"declaration {data}")

    def handle_pi(self, data: str) -> None:
        self.problems.append(f"instruction {data}")


def inspect(html: str) -> Inspector:
    inspector = Inspector()
    inspector.feed(html)
    inspector.close()
    inspector.problems += [f"<{tag}> stays open" for tag in inspector.stack]
    return inspector


@pytest.fixture
def sheet() -> Sheet:
    return Sheet(words=choose("en"), name="turn-001", attachments=frozenset({"aa.png", "bb.svg", "cc.pdf"}))


@pytest.fixture(name="inspect")
def inspect_fixture():
    return inspect


@pytest.fixture(scope="session")
def inspect_html():
    """Return `inspect`, of a scope that Hypothesis takes."""
    return inspect


def snippets() -> Iterator[dict[str, str]]:
    """Our own copies, and all of the shared ones where they are at hand."""
    yield from json.loads((SHARED if SHARED.is_file() else HERE / "snippets.json").read_bytes())


def pytest_generate_tests(metafunc):
    if "snippet" in metafunc.fixturenames:
        known = list(snippets())
        metafunc.parametrize("snippet", known, ids=[one["name"] for one in known])
