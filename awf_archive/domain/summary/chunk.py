"""The Markdown of a chunk file (SPEC 1.8): made from the turns alone, read in under a minute."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from unicodedata import east_asian_width

from awf_archive.domain.decisions import Decision, Status
from awf_archive.domain.escape import escape
from awf_archive.domain.summary.boilerplate import capital
from awf_archive.domain.summary.choose import Chooser, Chosen, Mended, Sentence, errors
from awf_archive.domain.summary.files import mentioned, without_root
from awf_archive.domain.summary.gist import Gist
from awf_archive.domain.summary.model_words import Told
from awf_archive.domain.summary.room import MOST, ROOMS, Room
from awf_archive.domain.summary.sentences import clip, closed, reading_words
from awf_archive.domain.summary.terms import is_same, terms
from awf_archive.domain.summary.work import open_tasks
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.wording import Wording

_MOST_POINTS, _MOST_PROPOSED, _MOST_TITLES = 12, 2, 5
_LONGEST_NAME = 40
"""A file with a longer name that was only read is a machine's."""
_MOST_FILES = 8
"""More are told by folder."""


def chunk_text(  # noqa: PLR0913 - one call makes one file
    number: int,
    turns: tuple[int, int],
    gists: Sequence[Gist],
    decisions: Sequence[Decision],
    *,
    words: Wording,
    told: Told | None = None,
) -> str:
    """Return the Markdown of a chunk file for a range of turns; always the same for the same turns.

    `gists` may lack turns at the beginning: the original skill removed sessions that it had summarised. `told` is
    what a model wrote: decisions and files stay what records and tool calls say.
    """
    range_ = words.chunk.title.format(number=f"{number:03d}", a=turns[0], b=turns[1])
    whole = _Whole(range_, gists, decisions, words, told)
    tried = (whole.text(room) for room in ROOMS)
    return next((text for text in tried if reading_words(text) <= MOST), whole.text(ROOMS[-1]))


class _Whole:
    """A summary in as much room as it is given."""

    def __init__(
        self,
        title: str,
        gists: Sequence[Gist],
        decisions: Sequence[Decision],
        words: Wording,
        told: Told | None,
    ) -> None:
        self._title, self._gists, self._decisions, self._words = title, gists, decisions, words
        self._told = told

    def text(self, room: Room) -> str:
        """Return the Markdown; as many points as there is time to read."""
        rest = self._rest(room)
        if self._told:
            return self._filled(self._told, rest)
        chooser = Chooser(self._gists)
        overview = _overview(chooser.overview(), room, self._words)
        chooser.say(one.text for one in _shown(self._decisions, room))
        told = Told(
            overview=overview,
            points=(),
            open=tuple(_open(self._gists, room, self._words)),
            errors=tuple(_errors(errors(self._gists), room, self._words)),
        )
        text = ""
        for most in range(min(_MOST_POINTS, len(self._gists)), -1, -1):
            points = tuple(_point(one, room, self._words) for one in chooser.points(most))
            text = self._filled(replace(told, points=points), rest)
            if reading_words(text) <= MOST or most <= room.points:
                break
        if not overview and not chooser.points(1):
            overview, points = _titles(self._gists, room, self._words)
            text = self._filled(replace(told, overview=overview, points=points), rest)
        return text

    def _rest(self, room: Room) -> tuple[list[str], list[str]]:
        """Return what does not depend on who tells the rest: decisions and files."""
        decided = _decided(self._decisions, room, self._words) or [self._words.chunk.no_decisions]
        return decided, _files(self._gists, room, self._words)

    def _filled(self, told: Told, rest: tuple[list[str], list[str]]) -> str:
        chunk = self._words.chunk
        sections: dict[str, Sequence[str]] = {
            chunk.overview: [told.overview] if told.overview else [],
            chunk.decisions: rest[0],
            chunk.points: told.points,
            chunk.files: rest[1],
            chunk.open: told.open,
            chunk.errors: told.errors,
        }
        parts = [f"## {name}\n" + "\n".join(lines) for name, lines in sections.items() if lines]
        return escape("\n\n".join((self._title, *parts))) + "\n"


def _titles(gists: Sequence[Gist], room: Room, words: Wording) -> tuple[str, tuple[str, ...]]:
    """Return the first words of some prompts, where none of a range tells anything by itself."""
    titled = [one for one in gists if one.title]
    some = titled[:: max(1, len(titled) // _MOST_TITLES)][:_MOST_TITLES]
    told = dict.fromkeys(_ended(clip(one.title, room.overview)) for one in (*some[:1], *some[-1:]))
    points = (
        words.chunk.point.format(turn=one.turn, text=_bare(clip(one.title, room.alone))) for one in some
    )
    return "".join(told).rstrip(), tuple(points)


def _overview(sentences: Sequence[Sentence], room: Room, words: Wording) -> str:
    """Two or three sentences on one line: how it began, how it went on, what came of it."""
    chunk = words.chunk
    told = []
    for place, one in enumerate(sentences):
        is_last = place == len(sentences) - 1 and place > 0
        label = (
            chunk.began
            if place == 0
            else (chunk.outcome if one.is_outcome else chunk.last)
            if is_last
            else chunk.then
        )
        told.append(label.format(text=_ended(capital(clip(one.text, room.overview)))))
    return "".join(told).rstrip()


def _ended(sentence: str) -> str:
    """End a sentence as its script does; Chinese needs no blank behind it."""
    last = sentence.rstrip('"”’)」）')[-1:]
    if last in "。！？":
        return sentence
    if last in ".!?…":
        return f"{sentence} "
    is_chinese = east_asian_width(last) in "WF" or sum(map(_is_han, sentence)) * 3 > len(sentence)
    return f"{sentence}。" if is_chinese else f"{sentence}. "


def _is_han(mark: str) -> bool:
    return east_asian_width(mark) in "WF"


def _bare(sentence: str) -> str:
    """Return a sentence as a part of a line: without its full stop."""
    return sentence.rstrip("。.；;") if not sentence.endswith("...") else sentence


def _decided(decisions: Sequence[Decision], room: Room, words: Wording) -> list[str]:
    """Number the decisions that stand, those that are settled first; what only may be one is marked."""
    chunk = words.chunk
    shown = _shown(decisions, room)
    lines = []
    for place, one in enumerate(shown, 1):
        mark = f"{chunk.proposed} " if one.status is Status.PROPOSED else ""
        whole = closed(_DANGLING.sub("", _MARKER.sub("", one_line(one.text, 400))))
        text = _LED.sub(
            lambda end: end[1] or "…", capital(_bare(clip(_ADVISED.sub("", whole), room.decision)))
        )
        lines.append(f"{place}. {mark}{text} {chunk.decision_turn.format(turn=one.turn)}")
    more = len(_standing(decisions)) - len(shown)
    return [*lines, chunk.more_decisions.format(n=more)] if more > 0 else lines


_MARKER = re.compile(r"^(?:[-*•]|\d{1,2}[.)])\s+")
_DANGLING = re.compile(
    r"(?i)[,;:，；、]?\s*\b(?:so|and|but|or|because|which|nên|và|nhưng|vì)\s*$|[,;:，；、]?(?:所以|但是?|而且|因为)$"
)
"""A word that leads to what was not taken with it."""
_LED = re.compile(r"([.?!。？！])?\s*→\s*\w{0,3}…$")
_ADVISED = re.compile(r"(?i)\s*[(（](?:recommended|đề xuất|khuyên dùng|推荐)[)）]")
"""What an option bore when it was offered, not what was decided."""


def _shown(decisions: Iterable[Decision], room: Room) -> list[Decision]:
    ranked = _standing(decisions)
    settled = [one for one in ranked if one.status is Status.ACCEPTED]
    return [*settled, *[one for one in ranked if one not in settled][:_MOST_PROPOSED]][: room.decisions]


def _standing(decisions: Iterable[Decision]) -> list[Decision]:
    """Return the decisions that stand: the settled first, then what may be one, the likeliest first."""
    standing = [one for one in decisions if one.status in {Status.ACCEPTED, Status.PROPOSED}]
    return sorted(standing, key=lambda one: (one.status is Status.PROPOSED, -one.confidence))


def _point(one: Chosen, room: Room, words: Wording) -> str:
    mark = f" ({words.listing.abandoned})" if one.is_abandoned else ""
    return words.chunk.point.format(turn=one.turn, text=capital(_pair(one, room))) + mark


def _pair(one: Chosen, room: Room) -> str:
    if one.request and one.outcome:
        return f"{_bare(clip(one.request, room.request))} → {_bare(clip(one.outcome, room.outcome))}"
    return _bare(clip(one.request or one.outcome, room.alone))


def _files(gists: Sequence[Gist], room: Room, words: Wording) -> list[str]:
    """List what was changed, most often first, by folder where it is much; then in short what was only read."""
    chunk = words.chunk
    counted = Counter(one_line(path, 300) for gist in gists for path in gist.changed)
    changed = _short([path for path, _ in counted.most_common()])
    read = _short([path for gist in gists for path in gist.read])
    names = dict.fromkeys(path.rsplit("/", 1)[-1] for path in read if path not in changed)
    only_read = [name for name in names if len(name) <= _LONGEST_NAME]
    lines = (
        [f"- {_named(path, room)}" for path in changed]
        if len(changed) <= _MOST_FILES
        else _by_folder(changed, room, words)
    )
    if only_read:
        lines.append(chunk.only_read.format(files=_some(only_read, room, words)))
    if not lines and (named := mentioned(text for gist in gists for text in (*gist.request, *gist.outcome))):
        lines.append(chunk.mentioned.format(files=_some(named, room, words)))
    return lines


def _short(paths: Sequence[str]) -> list[str]:
    return [_HOME.sub("~/", path) for path in without_root(dict.fromkeys(paths), ())]


_HOME = re.compile(r"^(?:/home|/Users|[A-Za-z]:/Users)/[^/]+/")


def _named(path: str, room: Room) -> str:
    return clip(one_line(path, 120), room.path)


def _some(paths: Sequence[str], room: Room, words: Wording) -> str:
    """Name some files on one line, and count the others."""
    shown = [_named(path, room) for path in paths[: room.files]]
    more = len(paths) - len(shown)
    return words.chunk.comma.join(shown) + (words.chunk.more_files.format(n=more) if more else "")


def _by_folder(paths: Sequence[str], room: Room, words: Wording) -> list[str]:
    folders: dict[str, list[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        folders.setdefault(f"{folder or '.'}/", []).append(name)
    ranked = sorted(folders.items(), key=lambda item: -len(item[1]))
    lines = [
        f"- {_named(folder, room)}: {_some(names, room, words)}" for folder, names in ranked[: room.folders]
    ]
    more = sum(len(names) for _, names in ranked[room.folders :])
    return [*lines, words.chunk.more_elsewhere.format(n=more)] if more else lines


_STALE = 5
"""After so many turns a list of tasks that nobody touched tells nothing of what is open."""


def _open(gists: Sequence[Gist], room: Room, words: Wording) -> list[str]:
    """List the tasks that stand open at the range's end, what the last report leaves, and its closing question."""
    kept = [one for one in gists if not one.is_abandoned] or list(gists)
    if not kept:
        return []
    last = kept[-1]
    listed = next((one.turn for one in reversed(kept[-_STALE:]) if one.tasks), 0)
    found = [(text, listed) for text in open_tasks(step for one in kept for step in one.tasks) if listed]
    found += [(text, last.turn) for text in (*last.left, last.question) if text]
    told: list[frozenset[str]] = []
    lines = []
    for text, turn in found:
        content = terms(text)
        if any(is_same(content, one) for one in told):
            continue
        told.append(content)
        line = _bare(clip(one_line(text, 400), room.task))
        lines.append(words.chunk.point.format(turn=turn, text=line))
    return lines[: room.open]


def _errors(found: Iterable[Mended], room: Room, words: Wording) -> list[str]:
    """List errors, those first whose mending is known; all in order of their turns."""
    chunk = words.chunk
    best = sorted(found, key=lambda one: (not one.fix, not one.fixed_in))[: room.errors]
    lines = []
    for one in sorted(best, key=lambda each: each.turn):
        text = _bare(clip(one.error, room.error))
        if one.fixed_in:
            said = _bare(clip(one.fix, room.fix)) if one.fix else ""
            later = chunk.decision_turn.format(turn=one.fixed_in) if one.fixed_in != one.turn else ""
            text += " → " + " ".join(filter(None, (said or chunk.fixed, later)))
        lines.append(chunk.point.format(turn=one.turn, text=text))
    return lines
