"""One turn → the section that a session page holds, with what lists and other pages say of it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from html import escape
from typing import cast

from awf_archive.domain.session import TurnEntry
from awf_archive.domain.tool_lines import calls_in
from awf_archive.domain.transcript import Attachment, Block, Branch, Json, Link, Note, NoteKind, prompt_text
from awf_archive.domain.turn_file import TurnFile
from awf_archive.domain.wording import Wording
from awf_archive.render.blocks import divider, render_assistant, render_user
from awf_archive.render.clean import one_line
from awf_archive.render.plain import plain_text
from awf_archive.render.sheet import Sheet, element

_MODEL_NOISE = re.compile(r"^claude-|-\d{8}$")


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedTurn:
    """A turn as the cache keeps it."""

    key: str
    """Changes when the HTML would."""
    local: int
    turn: int
    """Global number."""
    time: str
    title: str
    """The prompt's first words, cleaned, not escaped."""
    models: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """Paths that its tool calls name."""
    tools: tuple[str, ...] = ()
    """Name of each tool call, those of sub-agents too."""
    failed: int = 0
    """How many of them answered with an error."""
    is_abandoned: bool = False
    is_compacted: bool = False
    size: int = 0
    """Characters of `html`."""
    html: str = ""
    full: tuple[str, ...] = ()
    """Names of the whole texts beside the page."""
    masked: Mapping[str, int] = field(default_factory=dict)
    """How many masked secrets stand in its file, by kind."""
    text: str = ""
    """Its words without markup, for the site's search."""
    formerly: tuple[int, ...] = ()
    """Global numbers that it bore on other sides of merges."""

    @property
    def anchor(self) -> str:
        """The turn's place on its page; it never changes."""
        return anchor(self.local)

    def facts(self) -> dict[str, Json]:
        """Return everything but the HTML and the words."""
        return cast("dict[str, Json]", asdict(replace(self, html="", text="")))

    @classmethod
    def from_facts(cls, facts: dict[str, Json], html: str, text: str) -> "RenderedTurn":
        """Return the turn that `facts` described. Raises TypeError when they are another version's."""
        fixed = {name: tuple(value) if isinstance(value, list) else value for name, value in facts.items()}
        return cls(**{**fixed, "html": html, "text": text})  # type: ignore[arg-type]


def anchor(local: int) -> str:
    """Return a turn's anchor: by its number in the session, three digits at least.

    >>> anchor(16), anchor(1000)
    ('turn-016', 'turn-1000')
    """
    return f"turn-{local:03d}"


def render_turn(file: TurnFile, entry: TurnEntry, key: str, sheet: Sheet) -> RenderedTurn:
    """Return a turn's section and facts; whole texts that it wants beside the page go to `sheet`."""
    title = one_line(entry.title or prompt_text(file.user_blocks), 160)
    user, compactions = _split(file.user_blocks)
    markers = "".join(divider(note, sheet) for note in compactions)
    html = markers + _section(file, entry, user, sheet)
    calls = tuple(calls_in(file.assistant_blocks))
    return RenderedTurn(
        key=key,
        local=entry.local,
        turn=entry.turn,
        time=entry.time or file.time,
        title=title or _untitled(file, entry, sheet.words),
        models=_strings(file.header.get("models")),
        files=_strings(file.header.get("files")),
        tools=tuple(one_line(call.name, 60) for call in calls),
        failed=sum(1 for call in calls if call.result and call.result.is_error),
        is_abandoned=entry.branch is Branch.ABANDONED,
        is_compacted=bool(compactions),
        size=len(html),
        html=html,
        full=tuple(sheet.files),
        text=plain_text(file),
        formerly=_formerly(entry),
    )


def _untitled(file: TurnFile, entry: TurnEntry, words: Wording) -> str:
    """Name a turn without a typed word: by how it began, or by what came with it."""
    if any(isinstance(block, Attachment) for block in file.user_blocks):
        return f"🖼 {words.site.image}"
    for block in file.user_blocks:
        if isinstance(block, Link):
            return one_line(block.url)
    return words.site.starts.get(entry.start, "")


def render_broken(entry: TurnEntry, what: str, words: Wording) -> RenderedTurn:
    """Return the note that stands where a turn cannot be read."""
    message = escape(words.site.unreadable.format(what=one_line(what, 400)))
    body = f'<div class="awf-message"><p class="awf-note awf-error">⚠ {message}</p></div>'
    html = _wrapped(entry, _head(entry, "", (), words), body)
    return RenderedTurn(
        key="",
        local=entry.local,
        turn=entry.turn,
        time=entry.time,
        title=one_line(entry.title),
        html=html,
        formerly=_formerly(entry),
    )


def _formerly(entry: TurnEntry) -> tuple[int, ...]:
    return tuple(number for number in entry.formerly if number != entry.turn)


def _strings(value: Json) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _split(blocks: Sequence[Block]) -> tuple[list[Block], list[Note]]:
    """Part compaction markers from the rest: they stand between turns, not inside the user's words."""
    notes = [block for block in blocks if isinstance(block, Note) and block.kind is NoteKind.COMPACTION]
    return [block for block in blocks if block not in notes], notes


def _section(file: TurnFile, entry: TurnEntry, user: list[Block], sheet: Sheet) -> str:
    words = sheet.words
    badges = _badges(file, entry, words)
    said = render_user(user, sheet)
    done = render_assistant(file.assistant_blocks, sheet)
    parts = [_side("user", words.user_heading, "", said)] if said else []
    if done:
        models = ", ".join(
            _MODEL_NOISE.sub("", one_line(name, 60)) for name in _strings(file.header.get("models"))
        )
        parts.append(_side("assistant", words.assistant_heading, models, done))
    return _wrapped(entry, _head(entry, entry.time or file.time, badges, words), "".join(parts))


def _wrapped(entry: TurnEntry, head: str, body: str) -> str:
    classes = f"awf-turn{' awf-abandoned' if entry.branch is Branch.ABANDONED else ''}"
    return f'<section class="{classes}" aria-labelledby="{anchor(entry.local)}">{head}{body}</section>\n'


def _badges(file: TurnFile, entry: TurnEntry, words: Wording) -> tuple[str, ...]:
    site = words.site
    told = (
        (entry.branch is Branch.ABANDONED, f"↩ {site.abandoned}"),
        (entry.start in site.starts, site.starts.get(entry.start, "")),
        (entry.foreign is not None, site.foreign),
        (file.is_edited and bool(file.header), site.edited),
    )
    return tuple(text for holds, text in told if holds)


def _head(entry: TurnEntry, time: str, badges: Sequence[str], words: Wording) -> str:
    """Return the turn's header. The id is on the heading: blocks inside one id share a copy target."""
    place = anchor(entry.local)
    site = words.site
    number = escape(site.global_number.format(n=entry.turn))
    chips = "".join(element("span", escape(badge), class_="awf-chip") for badge in badges)
    return (
        f'<header class="awf-head"><h2 id="{place}">{escape(site.turn.format(n=entry.local))}</h2>'
        f"<span>{number}</span>{time_element(time)}{chips}"
        f'<a class="awf-copy" href="#{place}">{escape(site.copy_link)}</a></header>'
    )


def time_element(time: str) -> str:
    """Return a moment for people, in UTC; the page's script shows it in the reader's own time."""
    if not time:
        return ""
    shown = escape(one_line(time[:16].replace("T", " "), 40))
    zone = '<span class="awf-utc"> UTC</span>' if time.endswith("Z") else ""
    return element("time", f"{shown}{zone}", datetime=one_line(time, 40))


def _side(who: str, name: str, detail: str, body: str) -> str:
    small = f" <small>{escape(detail)}</small>" if detail else ""
    label = f'<div class="awf-who">{escape(name)}{small}</div>'
    return f'<div class="awf-message awf-{who}">{label}{body}</div>'
