"""One page as a value, the templates that make it, and how long lists become several pages."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from html import escape
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from awf_archive.domain.decisions import Decision, Status
from awf_archive.domain.site_names import slug
from awf_archive.domain.wording import Wording
from awf_archive.render.clean import clean, one_line
from awf_archive.render.sheet import count
from awf_archive.render.turn import time_element
from awf_archive.site_builder.places import templates
from awf_archive.site_builder.views import ChunkView, FeatureView, SessionView, SiteView

_ROWS = 200
"""Sessions on one page of a list."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page in the theme: the tabs are wrapped by MkDocs, the others by our shells."""

    uri: str
    """Its source's name for MkDocs: `features/index.md`."""
    title: str
    """Harmless even unescaped."""
    html: str = ""
    """What it holds, unless `make` gives it."""
    key: str = ""
    """Changes when what `make` gives would: most builds make few pages."""
    make: Callable[[dict[str, str]], str] | None = None
    """Gives the HTML, and puts whole texts that are to lie beside the page into the dictionary, by name."""
    toc: tuple[tuple[str, str], ...] = ()
    """Anchor and title of each section; titles are harmless too."""
    tab: str = ""
    """Its name among the site's tabs; empty for pages that have none."""

    @property
    def is_in_nav(self) -> bool:
        """Tell whether it is one of the site's tabs."""
        return bool(self.tab)

    @property
    def path(self) -> str:
        """Its file, relative to the site's root."""
        return f"{self.uri.removesuffix('.md')}.html"

    @property
    def frame(self) -> "Frame":
        """The kind of shell that it needs."""
        return Frame(depth=self.uri.count("/"), has_toc=bool(self.toc))


class Frame(NamedTuple):
    """What tells one shell from another: where its links start, and whether there is a list of sections."""

    depth: int
    has_toc: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PageKind:
    """How pages of one kind are made."""

    template: str
    make: Callable[[SiteView], Iterator[Page]]


@cache
def _environment(folder: Path) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {
        "when": lambda time: Markup(time_element(time)),  # noqa: S704 - escapes its parts
        "line": one_line,
        "clean": clean,
        "said": _said,
        "by_standing": by_standing,
        "slug": slug,
        "decision_anchor": decision_anchor,
        "decision_folder": lambda decision: decision_folder(decision.feature, decision.id),
        "file_folder": file_folder,
        "safe_html": Markup,
        "n": _counted,
        "span": _span,
    }
    return environment


_STANDINGS = (
    (Status.ACCEPTED,),
    (Status.PROPOSED,),
    (Status.SUPERSEDED, Status.REJECTED),
)
"""What lists tell apart: what holds, what waits for somebody's word, what no longer holds."""


def standing(decision: Decision) -> int:
    """Return a decision's place among those of other statuses: what holds has the lowest."""
    return next(place for place, statuses in enumerate(_STANDINGS) if decision.status in statuses)


def by_standing(decisions: Iterable[Decision]) -> list[tuple[list[str], list[Decision]]]:
    """Return decisions by how they stand, what holds first, each in the order given, with their statuses."""
    everyone = list(decisions)
    groups = ([one for one in everyone if one.status in standing] for standing in _STANDINGS)
    return [
        ([one.value for one in standing if any(each.status is one for each in those)], those)
        for standing, those in zip(_STANDINGS, groups, strict=True)
        if those
    ]


_INLINE = re.compile(r"`([^`\n]+)`|(?<![\w*/])\*\*(?=\S)([^*\n]+)(?<=\S)\*\*(?![A-Za-z0-9_*/])", re.ASCII)
"""Code and what is bold; not the power in `2**3` nor the folders in `src/**`."""


def _said(text: str) -> Markup:
    """Return a short text that people wrote, with its code and what is bold."""
    return Markup(_INLINE.sub(_marked, escape(clean(text))))  # noqa: S704 - escaped before


def _marked(match: re.Match[str]) -> str:
    if match[1]:
        return f"<code>{match[1]}</code>"
    return f"<strong>{_INLINE.sub(_marked, match[2])}</strong>"


_LINE_MARKS = re.compile(r"^\s*(?:(?:#{1,6}|[-*+>]|\d{1,9}[.)])\s+)+|^\s*(?:`{3,}|~{3,}).*$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^()\s]*\)")


def unmarked(text: str) -> str:
    """Return a text without the marks of Markdown, for places that show none.

    >>> unmarked("## Points\\n- **Turn 3**: `a.py`, see [here](b.md); 2**3")
    'Points\\nTurn 3: a.py, see here; 2**3'
    """
    plain = _LINK.sub(r"\1", _LINE_MARKS.sub("", text))
    return _INLINE.sub(lambda match: match[1] or _INLINE.sub(r"\1", match[2]), plain)


def _counted(number: int, template: str) -> str:
    return count(template, number)


def _span(view: SessionView) -> str:
    return f"#{view.first}" if view.first == view.last else f"#{view.first}–{view.last}"


def fill(template: str, words: Wording, root: str, **values: Any) -> str:  # noqa: ANN401 - templates take anything
    """Return a template's HTML. Values are escaped; `root` leads from the page to the site's root."""
    environment = _environment(templates() / "pages")
    return environment.get_template(template).render(w=words.site, words=words, root=root, **values)


def summary_name(feature: FeatureView, chunk: ChunkView, words: Wording) -> str:
    """Return what a chunk's summary is called where it stands among other finds."""
    turns = words.site.range_of_turns.format(a=chunk.first, b=chunk.last)
    return f"{feature.name} · {words.site.summary} · {turns}"


def page_key(*parts: object) -> str:
    """Return a key for a page that is made from these values."""
    return blake2b(repr(parts).encode(errors="surrogatepass"), digest_size=16).hexdigest()


def as_script_data(value: object) -> Markup:
    """Return JSON that may stand inside a script element: it holds no `<` and no `&`."""
    data = json.dumps(value, separators=(",", ":")).replace("<", "\\u003c").replace("&", "\\u0026")
    return Markup(data)  # noqa: S704 - see above


class Place(NamedTuple):
    """Which page of a long list, counted from the newest, and how many there are."""

    number: int
    pages: int

    @property
    def name(self) -> str:
        """Return its file without the ending, counted from the oldest: it stays when pages are added."""
        return "index" if self.number == 1 else f"page-{self.pages - self.number + 1}"

    @property
    def newer(self) -> "Place":
        """The page before it."""
        return self._replace(number=self.number - 1)

    @property
    def older(self) -> "Place":
        """The page after it."""
        return self._replace(number=self.number + 1)


def split_pages(everyone: Sequence[_T]) -> Iterator[tuple[Place, Sequence[_T]]]:
    """Yield the pages of a long list, newest first; one empty page of an empty list.

    Cut from the oldest, so that a new session changes the first page alone: that holds half a page to one and a half.

    >>> [(place.name, len(rows)) for place, rows in split_pages(range(710))]
    [('index', 110), ('page-3', 200), ('page-2', 200), ('page-1', 200)]
    """
    pages = max(1, (len(everyone) + _ROWS // 2) // _ROWS)
    end = len(everyone) - (pages - 1) * _ROWS
    yield Place(1, pages), everyone[:end]
    for number in range(2, pages + 1):
        yield Place(number, pages), everyone[end : end + _ROWS]
        end += _ROWS


def decision_anchor(decision: Decision) -> str:
    """Return a decision's place on the decisions page.

    >>> from types import SimpleNamespace
    >>> decision_anchor(SimpleNamespace(feature="block-user", id="D-001"))
    'block-user-d-001'
    """
    return f"{slug(decision.feature)}-{slug(decision.id.lower())}"


def decision_folder(feature: str, decision_id: str) -> str:
    """Return the folder of a decision's own page: as deep as a session's, so that one shell fits both.

    >>> decision_folder("block-user", "D-001")
    'decisions/block-user/d-001'
    """
    return f"decisions/{slug(feature)}/{slug(decision_id.lower())}"


def file_folder(path: str) -> str:
    """Return the folder of the page about a file that turns touched."""
    return f"files/{slug(path)}"
