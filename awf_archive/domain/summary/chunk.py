"""The Markdown of a chunk file (SPEC 1.8): made from the turns alone, read in under a minute."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from unicodedata import east_asian_width

from awf_archive.domain.decisions import Decision, Status
from awf_archive.domain.escape import escape
from awf_archive.domain.summary.boilerplate import capital
from awf_archive.domain.summary.choose import Chooser, Chosen, Mended, Sentence, errors
from awf_archive.domain.summary.files import mentioned, without_root
from awf_archive.domain.summary.gist import Gist
from awf_archive.domain.summary.model_words import Told
from awf_archive.domain.summary.sentences import clip, reading_words
from awf_archive.domain.summary.terms import is_same, terms
from awf_archive.domain.summary.work import open_tasks
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.wording import Wording

_BUDGET = 225
"""Reading words of a whole summary: under a minute at 230 a minute."""

_FEWEST_POINTS, _MOST_POINTS = 5, 12
_OVERVIEW_SENTENCE = 20
_REQUEST, _OUTCOME, _ALONE = 9, 12, 16
_MOST_DECISIONS, _MOST_PROPOSED, _DECISION = 6, 2, 13
_MOST_OPEN, _OPEN = 4, 14
_MOST_ERRORS, _ERROR, _FIX = 3, 11, 13
_LONGEST_NAME = 40
"""A file with a longer name that was only read is a machine's."""
_MOST_FILES, _MOST_FOLDERS = 8, 6
_FILES_OF_FOLDER, _FEW_OF_FOLDER = 7, 3
_ROOM = 90
"""Reading words that decisions and files may take; above, fewer files are named and the others counted."""


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
    chunk = words.chunk
    decided = _decisions(decisions, words) or [chunk.no_decisions]
    files = _files(gists, words, _FILES_OF_FOLDER)
    if sum(map(reading_words, (*decided, *files))) > _ROOM:
        files = _files(gists, words, _FEW_OF_FOLDER)
    told = told or _told_by_turns(gists, (*decided, *files), decisions, words)
    sections = {
        chunk.overview: [told.overview] if told.overview else [],
        chunk.decisions: decided,
        chunk.points: told.points,
        chunk.files: files,
        chunk.open: told.open,
        chunk.errors: told.errors,
    }
    title = chunk.title.format(number=f"{number:03d}", a=turns[0], b=turns[1])
    parts = [title, *(f"## {name}\n" + "\n".join(lines) for name, lines in sections.items() if lines)]
    return escape("\n\n".join(parts)) + "\n"


def _told_by_turns(
    gists: Sequence[Gist], rest: Iterable[str], decisions: Iterable[Decision], words: Wording
) -> Told:
    """Choose what the turns themselves say, in the reading time that the rest leaves."""
    chooser = Chooser(gists)
    overview = _overview(chooser.overview(), words)
    chooser.say(one.text for one in _shown(decisions))
    left, mended = _open(gists, words), _errors(errors(gists), words)
    spent = sum(map(reading_words, (overview, *rest, *left, *mended)))
    points = _points(chooser, len(gists), _BUDGET - spent, words)
    if not overview and not points:
        overview, points = _titles(gists, words)
    return Told(overview=overview, points=tuple(points), open=tuple(left), errors=tuple(mended))


def _titles(gists: Sequence[Gist], words: Wording) -> tuple[str, list[str]]:
    """Return the first words of some prompts, where none of a range tells anything by itself."""
    titled = [one for one in gists if one.title]
    some = titled[:: max(1, len(titled) // _FEWEST_POINTS)][:_FEWEST_POINTS]
    told = dict.fromkeys(_ended(clip(one.title, _OVERVIEW_SENTENCE)) for one in (*some[:1], *some[-1:]))
    points = [words.chunk.point.format(turn=one.turn, text=_bare(clip(one.title, _ALONE))) for one in some]
    return "".join(told).rstrip(), points


def _overview(sentences: Sequence[Sentence], words: Wording) -> str:
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
        told.append(label.format(text=_ended(capital(clip(one.text, _OVERVIEW_SENTENCE)))))
    return "".join(told).rstrip()


def _ended(sentence: str) -> str:
    """End a sentence as its script does; Chinese needs no blank behind it."""
    last = sentence.rstrip('"”’)」）')[-1:]
    if last in "。！？":
        return sentence
    if last in ".!?…":
        return f"{sentence} "
    return f"{sentence}。" if east_asian_width(last) in "WF" else f"{sentence}. "


def _bare(sentence: str) -> str:
    """Return a sentence as a part of a line: without its full stop."""
    return sentence.rstrip("。.") if not sentence.endswith("...") else sentence


def _decisions(decisions: Sequence[Decision], words: Wording) -> list[str]:
    """Number the decisions that stand, those that are settled first; what only may be one is marked."""
    chunk = words.chunk
    shown = _shown(decisions)
    lines = []
    for place, one in enumerate(shown, 1):
        mark = f"{chunk.proposed} " if one.status is Status.PROPOSED else ""
        text = capital(_MARKER.sub("", _bare(clip(one_line(one.text, 400), _DECISION))))
        lines.append(f"{place}. {mark}{text} {chunk.decision_turn.format(turn=one.turn)}")
    more = len(_standing(decisions)) - len(shown)
    return [*lines, chunk.more_decisions.format(n=more)] if more > 0 else lines


_MARKER = re.compile(r"^(?:[-*•]|\d{1,2}[.)])\s+")


def _shown(decisions: Iterable[Decision]) -> list[Decision]:
    ranked = _standing(decisions)
    settled = [one for one in ranked if one.status is Status.ACCEPTED]
    return [*settled, *[one for one in ranked if one not in settled][:_MOST_PROPOSED]][:_MOST_DECISIONS]


def _standing(decisions: Iterable[Decision]) -> list[Decision]:
    """Return the decisions that stand: the settled first, then what may be one, the likeliest first."""
    standing = [one for one in decisions if one.status in {Status.ACCEPTED, Status.PROPOSED}]
    return sorted(standing, key=lambda one: (one.status is Status.PROPOSED, -one.confidence))


def _points(chooser: Chooser, turns: int, budget: float, words: Wording) -> list[str]:
    """One line a turn, as many as the time to read allows, spread over the range."""
    most = max(_FEWEST_POINTS, min(_MOST_POINTS, turns, round(budget / (_REQUEST + _OUTCOME - 5))))
    return [_point(one, words) for one in chooser.points(most)]


def _point(one: Chosen, words: Wording) -> str:
    mark = f" ({words.listing.abandoned})" if one.is_abandoned else ""
    return words.chunk.point.format(turn=one.turn, text=capital(_pair(one))) + mark


def _pair(one: Chosen) -> str:
    if one.request and one.outcome:
        return f"{_bare(clip(one.request, _REQUEST))} → {_bare(clip(one.outcome, _OUTCOME))}"
    return _bare(clip(one.request or one.outcome, _ALONE))


def _files(gists: Sequence[Gist], words: Wording, most: int) -> list[str]:
    """List what was changed, most often first, by folder where it is much; then in short what was only read."""
    chunk = words.chunk
    counted = Counter(one_line(path, 300) for gist in gists for path in gist.changed)
    changed = _short([path for path, _ in counted.most_common()])
    read = _short([path for gist in gists for path in gist.read])
    names = dict.fromkeys(path.rsplit("/", 1)[-1] for path in read if path not in changed)
    only_read = [name for name in names if len(name) <= _LONGEST_NAME]
    lines = (
        [f"- {path}" for path in changed] if len(changed) <= _MOST_FILES else _by_folder(changed, words, most)
    )
    if only_read:
        lines.append(chunk.only_read.format(files=_some(only_read, words, most)))
    if not lines and (named := mentioned(text for gist in gists for text in (*gist.request, *gist.outcome))):
        lines.append(chunk.mentioned.format(files=_some(named, words, most)))
    return lines


def _short(paths: Sequence[str]) -> list[str]:
    return [_HOME.sub("~/", path) for path in without_root(dict.fromkeys(paths), ())]


_HOME = re.compile(r"^(?:/home|/Users|[A-Za-z]:/Users)/[^/]+/")


def _some(paths: Sequence[str], words: Wording, most: int) -> str:
    """Name some files on one line, and count the others."""
    shown = [one_line(path, 120) for path in paths[:most]]
    more = len(paths) - len(shown)
    return words.chunk.comma.join(shown) + (words.chunk.more_files.format(n=more) if more else "")


def _by_folder(paths: Sequence[str], words: Wording, most: int) -> list[str]:
    folders: dict[str, list[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        folders.setdefault(f"{folder or '.'}/", []).append(name)
    ranked = sorted(folders.items(), key=lambda item: -len(item[1]))
    lines = [f"- {folder}: {_some(names, words, most)}" for folder, names in ranked[:_MOST_FOLDERS]]
    more = sum(len(names) for _, names in ranked[_MOST_FOLDERS:])
    return [*lines, words.chunk.more_elsewhere.format(n=more)] if more else lines


_STALE = 5
"""After so many turns a list of tasks that nobody touched tells nothing of what is open."""


def _open(gists: Sequence[Gist], words: Wording) -> list[str]:
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
        line = _bare(clip(one_line(text, 400), _OPEN))
        lines.append(words.chunk.point.format(turn=turn, text=line))
    return lines[:_MOST_OPEN]


def _errors(found: Iterable[Mended], words: Wording) -> list[str]:
    """List errors, those first whose mending is known; all in order of their turns."""
    chunk = words.chunk
    best = sorted(found, key=lambda one: (not one.fix, not one.fixed_in))[:_MOST_ERRORS]
    lines = []
    for one in sorted(best, key=lambda each: each.turn):
        text = _bare(clip(one.error, _ERROR))
        if one.fixed_in:
            said = _bare(clip(one.fix, _FIX)) if one.fix else ""
            later = chunk.decision_turn.format(turn=one.fixed_in) if one.fixed_in != one.turn else ""
            text += " → " + " ".join(filter(None, (said or chunk.fixed, later)))
        lines.append(chunk.point.format(turn=one.turn, text=text))
    return lines
