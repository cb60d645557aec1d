"""Rendered sessions on disk, so that a build only renders what is new (spec/site.md 6).

Disposable: a missing, damaged or outdated entry is rendered again. One file per session holds the facts on its
first line, then each turn's HTML and its words for the site's search as they are: reading JSON would take five times
as long. Whole texts lie beside it.
"""

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from awf_archive.domain import turn_file
from awf_archive.domain.redaction import masks_in
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.transcript import Json
from awf_archive.domain.wording import Wording, choose
from awf_archive.errors import ArchiveError
from awf_archive.render.sheet import FULL_DIR, Sheet
from awf_archive.render.turn import RenderedTurn, anchor, render_broken, render_turn

_ENTRY = "fragment"
_ANY_TEXT = "surrogatepass"
_UTF8_MARK = "\ufeff"
"""Begins whole texts: from `file://` a browser has no other way to know that they are UTF-8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSource:
    """A session to be rendered, and how to come by its turns."""

    session: Session
    stamp: str
    """Changes when a file of the session does."""
    read: Callable[[TurnEntry], bytes]
    """Gives a turn file's bytes; raises ArchiveError when it cannot."""
    attachments: frozenset[str]
    """Names of the attachments on disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """A rendered session."""

    key: str
    turns: tuple[RenderedTurn, ...]
    session: Session
    """Its metadata as it was rendered, without the turns: what the head of its page says."""
    attachments: tuple[str, ...] = ()
    """Names of all attachments of its turns."""
    warnings: tuple[str, ...] = ()
    """One line per turn that could not be read; such a fragment is rendered again at the next build."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderCache:
    """The rendered sessions of one workspace in one language."""

    folder: Path
    words: Wording

    def path(self, name: str) -> Path:
        """Return the folder of a session's entry; `name` is made of safe folder names."""
        return self.folder / self.words.language / name

    def ensure(self, name: str, source: SessionSource, *, recheck: bool = False) -> Fragment:
        """Return a session's facts, without HTML, after seeing to it that its entry is current.

        Turns that are already there are taken as they are, so this is cheap to call after each save.
        `recheck` compares every turn file's content instead of trusting the stamp.
        """
        key = _digest(engine_stamp(self.words), source.stamp)
        facts = self._facts(name)
        if not recheck and facts and facts.key == key and self._is_whole(name, facts.turns):
            return facts
        old = self.load(name)
        known = {turn.key: turn for turn in old.turns if self._is_known(name, turn)} if old else {}
        turns, warnings, files = _render(source, self.words, known)
        fragment = Fragment(
            key="" if warnings else key,
            turns=turns,
            session=replace(source.session, turns=()),
            attachments=tuple(sorted({one for turn in source.session.turns for one in turn.attachments})),
            warnings=warnings,
        )
        self._save(name, fragment, files)
        self._drop_others(name, {one for turn in turns for one in turn.full})
        return replace(fragment, turns=tuple(replace(turn, html="", text="") for turn in turns))

    def load(self, name: str) -> Fragment | None:
        """Return a session's fragment with HTML and words; None when it is missing or damaged."""
        try:
            facts, _, rest = (self.path(name) / _ENTRY).read_bytes().decode(errors=_ANY_TEXT).partition("\n")
            return _fragment(facts, rest)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def full_texts(self, name: str, turns: Iterable[RenderedTurn]) -> Iterator[Path]:
        """Yield the files that belong beside the session's pages."""
        for turn in turns:
            for one in turn.full:
                yield self.path(name) / FULL_DIR / one

    def _facts(self, name: str) -> Fragment | None:
        try:
            with (self.path(name) / _ENTRY).open("rb") as stream:
                return _fragment(stream.readline().decode())
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _is_whole(self, name: str, turns: Iterable[RenderedTurn]) -> bool:
        return all(path.is_file() for path in self.full_texts(name, turns))

    def _is_known(self, name: str, turn: RenderedTurn) -> bool:
        return bool(turn.key) and self._is_whole(name, (turn,))

    def _save(self, name: str, fragment: Fragment, files: dict[str, str]) -> None:
        folder = self.path(name)
        for one, text in files.items():
            swap_in(folder / FULL_DIR / one, (_UTF8_MARK + text).encode())
        facts = {
            "key": fragment.key,
            "session": fragment.session.to_json(),
            "attachments": list(fragment.attachments),
            "turns": [turn.facts() for turn in fragment.turns],
            "sizes": [[len(turn.html), len(turn.text)] for turn in fragment.turns],
        }
        parts = (
            f"{json.dumps(facts)}\n",
            *(part for turn in fragment.turns for part in (turn.html, turn.text)),
        )
        swap_in(folder / _ENTRY, "".join(parts).encode(errors=_ANY_TEXT))

    def _drop_others(self, name: str, kept: set[str]) -> None:
        folder = self.path(name) / FULL_DIR
        for path in folder.iterdir() if folder.is_dir() else ():
            if path.name not in kept:
                path.unlink(missing_ok=True)


def _fragment(facts_line: str, rest: str | None = None) -> Fragment:
    facts = cast("dict[str, Any]", json.loads(facts_line))
    turns: list[dict[str, Json]] = facts["turns"]
    parts = [("", "")] * len(turns) if rest is None else list(_parts(rest, facts["sizes"]))
    return Fragment(
        key=str(facts["key"]),
        turns=tuple(RenderedTurn.from_facts(turn, *two) for turn, two in zip(turns, parts, strict=True)),
        session=Session.from_json(facts["session"]),
        attachments=tuple(map(str, facts["attachments"])),
    )


def _parts(rest: str, sizes: Iterable[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    """Yield each turn's HTML and words. Raises ValueError when the text is not as long as it was."""
    start = 0
    for html, text in sizes:
        middle, end = start + html, start + html + text
        yield rest[start:middle], rest[middle:end]
        start = end
    if start != len(rest):
        raise ValueError("a damaged entry")


def _render(
    source: SessionSource, words: Wording, known: dict[str, RenderedTurn]
) -> tuple[tuple[RenderedTurn, ...], tuple[str, ...], dict[str, str]]:
    """Render a session's turns; one that is known by its key is taken as it is."""
    turns: list[RenderedTurn] = []
    warnings: list[str] = []
    files: dict[str, str] = {}
    for entry in source.session.turns:
        try:
            data = source.read(entry)
            key = _turn_key(data, entry, source.attachments, words)
            if key not in known:
                sheet = Sheet(words=words, name=anchor(entry.local), attachments=source.attachments)
                turn = render_turn(turn_file.read(data), entry, key, sheet)
                turns.append(replace(turn, masked=dict(masks_in(data.decode(errors="replace")))))
                files |= sheet.files
                continue
            turns.append(known[key])
        except (ArchiveError, ValueError) as problem:
            what = problem.message if isinstance(problem, ArchiveError) else f"{entry.file}: {problem}"
            warnings.append(what)
            turns.append(render_broken(entry, what, words))
    return tuple(turns), tuple(warnings), files


def _turn_key(data: bytes, entry: TurnEntry, attachments: frozenset[str], words: Wording) -> str:
    shown = json.dumps(
        [engine_stamp(words), entry.to_json(), sorted(attachments.intersection(entry.attachments))],
        sort_keys=True,
    )
    return _digest(shown, blake2b(data, digest_size=20).hexdigest())


def engine_stamp(words: Wording) -> str:
    """Return what a rendered turn depends on besides the turn: this package, its engines, the words it uses.

    Taken from the sources themselves, so that nobody has to remember a version number.
    """
    return _engine_stamp(words.language)


@cache
def _engine_stamp(language: str) -> str:
    sources = sorted(Path(__file__).parent.glob("*.py"))
    digests = [blake2b(path.read_bytes(), digest_size=20).hexdigest() for path in sources]
    versions = (version("markdown-it-py"), version("pygments"))
    return _digest(*versions, repr(choose(language)), *digests)


def _digest(*parts: str) -> str:
    return blake2b("\0".join(parts).encode(errors="surrogatepass"), digest_size=20).hexdigest()


def swap_in(path: Path, data: bytes) -> None:
    """Write a derived file so that a reader sees the old one or the new one.

    Unlike the archive's writer it does not sync: after a power cut the file is made again.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise
