"""Session pages: Material renders one empty page, we cut it where our texts go and write the rest ourselves.

So conversation text never passes MkDocs, and 5 000 sessions take seconds instead of minutes (site.md 2.2).
"""

import re
import secrets
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from html import escape
from itertools import groupby
from pathlib import Path

from awf_archive.domain.decisions import Decision
from awf_archive.domain.session import Session
from awf_archive.domain.wording import Wording
from awf_archive.render.clean import one_line
from awf_archive.render.turn import RenderedTurn
from awf_archive.site_builder.page import Frame, Page, by_standing, fill
from awf_archive.site_builder.places import page_name, templates
from awf_archive.site_builder.views import FeatureView, SessionView

ROOT = "../../../"
"""From a session's page to the site's root."""

SESSION_FRAME = Frame(depth=3, has_toc=True)
DECISION_FRAME = Frame(depth=3, has_toc=False)

_INDENTED = re.compile(r"\s*\n\s*")
"""Blank lines and indents: a third of the theme's page, and nobody's text."""

NO_HEADING = "<!-- its <h1> is among what comes there -->"
"""Keeps the theme from adding a heading to an empty page."""

_TOC_ITEM = r'<li class="md-nav__item">\s*<a href="[^"]*{token}"(?:(?!</li>).)*</li>'


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Marks in an empty page, random for each build: no text can hold one."""

    frame: Frame = SESSION_FRAME
    title: str = field(default_factory=lambda: f"awf{secrets.token_hex(16)}")
    body: str = field(default_factory=lambda: f"awf{secrets.token_hex(16)}")
    anchor: str = field(default_factory=lambda: f"awf{secrets.token_hex(16)}")
    uri: str = field(default_factory=lambda: secrets.token_hex(8))

    @property
    def source(self) -> str:
        """The empty page's source name: as deep as the pages it is for, so that its links fit."""
        return f"{self._above}{self.uri}/index.md"

    @property
    def _above(self) -> str:
        return "_/" * (self.frame.depth - 1)

    def without(self, page: str) -> str:
        """Return the empty page without its random address."""
        return page.replace(f"{self._above}{self.uri}/", f"{self._above}_/")


@cache
def own_stamp() -> str:
    """Return what changes with our own templates and code."""
    digest = blake2b(digest_size=16)
    for path in sorted((*templates().glob("pages/*.html"), *Path(__file__).parent.glob("*.py"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


_IDLE = (NO_HEADING, ' xmlns="http://www.w3.org/2000/svg"')
"""What an HTML page does not need once it is made."""


def _lean(page: str) -> str:
    """Return the theme's page without what nobody sees: it stands around each of thousands of pages."""
    for part in _IDLE:
        page = page.replace(part, "")
    return _INDENTED.sub("\n", page).replace(">\n<", "><")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """The theme around a session page, cut up before any text goes in."""

    pieces: tuple[tuple[str, str], ...]
    """Name of the slot before a piece (the first has none), and the piece."""
    key: str
    """Changes with the theme, our templates, code and words, not with the tokens."""

    @classmethod
    def cut(cls, page: str, tokens: Tokens, rules: str) -> "Shell":
        """Cut the empty page at its tokens. `rules` changes when what is put into it would be made otherwise."""
        names = {tokens.title: "title", tokens.body: "body", tokens.anchor: "anchor"}
        toc = re.compile(_TOC_ITEM.format(token=tokens.anchor), re.DOTALL)
        marked = _lean(tokens.without(page))
        pieces: list[tuple[str, str]] = []
        for index, part in enumerate(toc.split(marked)):
            slot = "toc" if index else ""
            for piece in re.split(f"({'|'.join(names)})", part):
                if piece in names:
                    slot = names[piece]
                else:
                    pieces.append((slot, piece))
        plain = "\0".join(f"{slot}\0{piece}" for slot, piece in pieces)
        digest = blake2b(f"{rules}\0{plain}".encode(), digest_size=16)
        return cls(pieces=tuple(pieces), key=digest.hexdigest())

    def fill(self, slots: Mapping[str, str]) -> str:
        """Return a page with HTML in its slots."""
        return "".join(f"{slots[slot] if slot else ''}{piece}" for slot, piece in self.pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """The sessions before and after one, in its feature."""

    previous: SessionView | None
    following: SessionView | None
    continues: SessionView | None
    """The session of the same window that this one goes on from."""


def neighbours(feature: FeatureView) -> Iterator[tuple[SessionView, Neighbours]]:
    """Yield each session that has pages, with those around it."""
    readable = [one for one in feature.sessions if one.facts]
    by_id = {one.session_id: one for one in readable}
    for index, session in enumerate(readable):
        yield (
            session,
            Neighbours(
                previous=readable[index - 1] if index else None,
                following=readable[index + 1] if index + 1 < len(readable) else None,
                continues=by_id.get(session.facts.continues) if session.facts else None,
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionMaker:
    """Makes one session's pages."""

    shell: Shell
    words: Wording
    feature: FeatureView
    session: SessionView
    around: Neighbours

    def key(self) -> str:
        """Return what changes when any of the session's pages would.

        Made from what goes in, not from what comes out: most builds render no page of most sessions.
        """
        beside = [
            one and (one.session_id, one.link, one.title)
            for one in (self.around.previous, self.around.following, self.around.continues)
        ]
        facts = self.session.facts
        moved = [
            one
            for one in self.feature.arrived
            if one.start <= self.session.last and self.session.first <= one.end
        ]
        shown = repr((self.feature.name, beside, self._decisions(), facts and facts.starts, moved))
        parts = (self.shell.key, self.words.language, facts.key if facts else "", shown)
        return blake2b("\0".join(parts).encode(errors="surrogatepass"), digest_size=16).hexdigest()

    def write(self, meta: Session, turns: Sequence[RenderedTurn]) -> Iterator[tuple[str, str]]:
        """Yield each page's file name and HTML."""
        starts = self.session.facts.starts if self.session.facts else ()
        grouped = groupby(turns, key=lambda one: bisect_right(starts, one.local))
        by_page = {number: tuple(those) for number, those in grouped} or {1: ()}
        for number, those in by_page.items():
            shown = {
                "feature": self.feature,
                "session": self.session,
                "meta": meta,
                "around": self.around,
                "page": number,
                "numbers": list(by_page),
                "page_name": page_name,
            }
            linked = self._decisions() if number == min(by_page) else []
            head = fill("session_head.html", self.words, ROOT, **shown, decisions=linked)
            foot = fill("session_foot.html", self.words, ROOT, **shown)
            slots = {
                "title": escape(self.session.title),
                "body": f"{head}{''.join(map(self._turn, those))}{foot}",
                "anchor": those[0].anchor if those else "__top",
                "toc": "".join(map(_toc_item, those)),
            }
            yield page_name(number), self.shell.fill(slots)

    def _turn(self, turn: RenderedTurn) -> str:
        """Return a turn's HTML, below the numbers that it bore before: who cites one finds it on the page."""
        places = [*(f"#{number}" for number in turn.formerly), *self.feature.former_places(turn.turn)]
        if not places:
            return turn.html
        words = self.words.site
        told = escape(words.former.format(place=", ".join(map(one_line, places))))
        return f'<p class="awf-former" title="{escape(words.former_note)}">{told}</p>{turn.html}'

    def _decisions(self) -> list[tuple[Decision, str]]:
        """Return the session's decisions, those that hold first, and the link to each one's turn."""
        own = (one for one in self.feature.decisions if self.session.first <= one.turn <= self.session.last)
        return [(one, self.feature.link_to(one.turn)) for _, those in by_standing(own) for one in those]


def fill_page(shell: Shell, page: Page, html: str) -> str:
    """Return the HTML of a page that is no tab."""
    items = "".join(
        f'<li class="md-nav__item"><a href="#{anchor}" class="md-nav__link">{escape(name)}</a></li>'
        for anchor, name in page.toc
    )
    anchor = page.toc[0][0] if page.toc else ""
    slots = {"title": escape(page.title), "body": html, "anchor": anchor, "toc": items}
    return shell.fill(slots)


_TOC = 60
"""Characters of a turn's title in the list of turns: the two lines that it has there."""


def _toc_item(turn: RenderedTurn) -> str:
    classes = "md-nav__item" + (" awf-abandoned" if turn.is_abandoned else "")
    words = escape(turn.title if len(turn.title) <= _TOC else f"{turn.title[: _TOC - 1].rstrip()}…")
    return f'<li class="{classes}"><a href="#{turn.anchor}" class="md-nav__link"><b>{turn.local}</b> {words}</a></li>'
