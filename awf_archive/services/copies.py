"""The same conversation in another tool's file: its turns are known by what was typed, in order."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime, timedelta
from difflib import SequenceMatcher

from awf_archive.domain.formats import is_nameless
from awf_archive.domain.ids import TurnId
from awf_archive.domain.manifest import Manifest, SessionEntry
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.transcript import Block, Outline, Transcript, prompt_text
from awf_archive.services.save_turns import title_of

Place = tuple[Session, TurnEntry]
Read = Callable[[Session, TurnEntry], Iterable[Block]]
"""Reads the user's side of a saved turn."""

_AT_ONCE = timedelta(seconds=2)
"""Two files of one window that name the same moment speak of the same prompt."""
ABOUT_THEN = timedelta(minutes=10)
"""The same words about then are the same prompt, in a window that nobody named too."""
_LEFT_OUT = re.compile(r"\[(?:Pasted text|Image) #\d+[^\]]*\]")
"""Stands in one file for what another one holds."""


def nameless_sessions(manifest: Manifest, transcript: Transcript) -> list[SessionEntry]:
    """Return the sessions of which nobody wrote down the window: they may be this one's."""
    if transcript.format != "claude-code":
        return []
    return [one for one in manifest.sessions if one.windows and is_nameless(one.windows[0])]


def copied_turns(
    sessions: Iterable[Session], transcript: Transcript, known: Collection[TurnId], read: Read
) -> Iterator[tuple[TurnId, Place]]:
    """Yield the turns of a transcript that were saved from a file of another format.

    Only what no id tells apart is looked at, and a text is read only then.
    """
    named: list[Place] = []
    nameless: list[Place] = []
    for session in sessions:
        is_guess = is_nameless(session.source.window) and session.source.window not in transcript.windows
        others = ((session, one) for one in session.turns if session.format_of(one) != transcript.format)
        (nameless if is_guess else named).extend(others)
    rest = [one for one in transcript.outlines if one.id not in known]
    for found in (_in_order(named, rest, transcript, read), _about_then(nameless, rest, transcript)):
        for outline, place in found:
            rest.remove(outline)
            yield outline.id, place


def _in_order(
    saved: list[Place], outlines: list[Outline], transcript: Transcript, read: Read
) -> list[tuple[Outline, Place]]:
    """Align both by their prompts; what differs, by the moment or by what one of them leaves out."""
    if not saved or not outlines:
        return []
    before = [_words(read(session, entry)) for session, entry in saved]
    after = [_words(transcript.load(one).user) for one in outlines]
    found = []
    for tag, first, last, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        at = first
        for other in range(start, end):
            fits = (
                one
                for one in range(at, last)
                if tag == "equal"
                or is_about(saved[one][1].time, outlines[other].time, _AT_ONCE)
                or _says_less(before[one], after[other])
                or _says_less(after[other], before[one])
            )
            if (one := next(fits, None)) is not None:
                found.append((outlines[other], saved[one]))
                at = one + 1
    return found


def _words(blocks: Iterable[Block]) -> str:
    """Return a prompt as every tool would write it: white space aside."""
    return " ".join(prompt_text(blocks).split())


def _says_less(short: str, whole: str) -> bool:
    """Whether a prompt is another one with something left out.

    >>> _says_less("see [Pasted text #1 +9 lines] please", "see a b c please"), _says_less("a", "b")
    (True, False)
    """
    first, *others = (part.strip() for part in _LEFT_OUT.split(short))
    if not others or not (first or any(others)) or not whole.startswith(first):
        return False
    at = len(first)
    for part in others[:-1]:
        found = whole.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return whole.endswith(others[-1]) and len(whole) >= at + len(others[-1])


def _about_then(
    saved: list[Place], outlines: list[Outline], transcript: Transcript
) -> list[tuple[Outline, Place]]:
    found = []
    left = list(saved)
    for outline in outlines if left else ():
        title = title_of(transcript.load(outline))
        fits = (
            one for one in left if one[1].title == title and is_about(one[1].time, outline.time, ABOUT_THEN)
        )
        if one := next(fits, None):
            left.remove(one)
            found.append((outline, one))
    return found


def is_about(one: str, other: str, span: timedelta) -> bool:
    """Whether two moments lie that close together; what is no moment does not."""
    try:
        return abs(datetime.fromisoformat(one) - datetime.fromisoformat(other)) <= span
    except (ValueError, TypeError):
        return False
