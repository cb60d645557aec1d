"""Another archive: a `.context` folder of the original skill's or ours, by its manifest (docs/formats/context.md)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from awf_archive.domain import turn_file
from awf_archive.domain.ids import WindowId
from awf_archive.domain.manifest import Manifest, SessionEntry
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.transcript import Attachment, Block, SubAgent, ToolCall, Transcript
from awf_archive.errors import InputError
from awf_archive.readers.base import Reader, Source
from awf_archive.readers.context_archive.turns import draft_of
from awf_archive.readers.shared.drafts import Draft, Facts, transcript
from awf_archive.readers.shared.head import head_of
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import decode, digest, utc

_KEYS = frozenset({"specId", "turnWatermark"})
_LISTS = frozenset({"recentSessions", "archivedSessions", "semanticChunks"})
_SESSIONS = "conversations/sessions"


def accepts(source: Source) -> bool:
    """Tell whether it is the manifest of an archive."""
    head = head_of(source, b'"turnWatermark"')
    return (
        not head.is_array
        and not head.is_lines
        and head.keys.keys() >= _KEYS
        and bool(_LISTS & head.keys.keys())
    )


def read(source: Source) -> Iterator[Transcript]:
    """Read every window of the archive; a session that names none is one of its own.

    Raises InputError when the manifest, or everything that it names, cannot be read.
    """
    manifest = _manifest(source)
    windows: dict[str, list[_Saved]] = {}
    for entry in manifest.sessions:
        saved = _Saved.read(source, manifest.spec_id, entry)
        windows.setdefault(saved.window, []).append(saved)
    names = tuple(name for sessions in windows.values() for saved in sessions for name in saved.names)
    read_any = False
    for window, sessions in windows.items():
        one = replace(_transcript(window, sessions), companions=names)
        read_any = read_any or bool(one.outlines)
        yield one
    if not windows:
        yield transcript([], Facts(format=READER.name, windows=(digest("context", manifest.spec_id),)))
    elif not read_any:
        raise InputError(
            f"{source.name}: none of the turns that it names can be read.",
            "Name the manifest.json where it lies, beside the folder conversations.",
        )


def _manifest(source: Source) -> Manifest:
    try:
        value, _ = decode(source.read(0, source.size).strip(b"\0 \t\r\n\xef\xbb\xbf"))
        return Manifest.from_json(value)  # type: ignore[arg-type]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
        raise InputError(
            f"{source.name}: the manifest cannot be read.", "Run awf-archive verify in its workspace."
        ) from problem


@dataclass(slots=True, kw_only=True)
class _Saved:
    """One session of the archive."""

    window: str
    session: Session | None
    drafts: list[Draft]
    log: ProblemLog = field(default_factory=ProblemLog)
    names: tuple[str, ...] = ()
    """Its files, which the vault keeps beside the manifest."""

    @classmethod
    def read(cls, source: Source, spec: str, entry: SessionEntry) -> "_Saved":
        """Read a session's turns in order."""
        folder = f"{_SESSIONS}/{_plain(entry.session_id)}"
        log = ProblemLog(file=f"{folder}/metadata.json")
        session = _session(source, folder, log)
        files = {
            name.rsplit("/", 1)[-1]: file for name, file in source.companions(f"{folder}/turn-*.md").items()
        }
        payloads = source.companions(f"{folder}/attachments/*")
        window = _window(spec, entry, session, files)
        drafts = []
        known = {turn.file: turn for turn in session.turns} if session else {}
        for name in sorted(files, key=lambda name: (len(name), name)):
            reader = _TurnReader(window, known.get(name), payloads, f"{folder}/attachments")
            if (draft := reader.read(name, files[name], log)) is not None:
                drafts.append(draft)
        count = entry.global_range[1] - entry.global_range[0] + 1
        if count > len(drafts):
            log.unreadable += count - len(drafts)
            log.add("missing-turn", "Turns that the manifest names are not there or cannot be read.", 1)
        names = (*source.companions(f"{folder}/*"), *payloads)
        return cls(window=window, session=session, drafts=drafts, log=log, names=names)


def _plain(name: str) -> str:
    """Return a session's folder; a name that would lead elsewhere leads nowhere."""
    return name if name and all(mark.isalnum() or mark in "-_" for mark in name) else "-"


def _session(source: Source, folder: str, log: ProblemLog) -> Session | None:
    for file in source.companions(f"{folder}/metadata.json").values():
        try:
            value, _ = decode(file.read(0, file.size))
            return Session.from_json(value)  # type: ignore[arg-type]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            log.add("unreadable", "A session's metadata cannot be read; its turns were.", 1)
    return None


def _window(spec: str, entry: SessionEntry, session: Session | None, files: dict[str, Source]) -> str:
    """Return the window that a session is of; for the original skill's, which name none, one of their own."""
    named = (session.source.window if session else "") or next(iter(entry.windows), WindowId(""))
    if named:
        return named
    first = min(files, default="")
    words = sha256(files[first].read(0, files[first].size)).hexdigest() if first else ""
    return digest("context", spec, entry.session_id, words)


@dataclass(frozen=True, slots=True)
class _TurnReader:
    """Reads one turn file with what the metadata says of it."""

    window: str
    entry: TurnEntry | None
    payloads: Mapping[str, Source]
    folder: str

    def read(self, name: str, file: Source, log: ProblemLog) -> Draft | None:
        """Return the turn; None where the file is none, which is reported."""
        try:
            turn = turn_file.read(file.read(0, file.size))
        except ValueError:
            log.count("unreadable", "Turn files hold no turn.", 1)
            return None
        draft = draft_of(turn, digest(self.window, name, turn.user))
        if self.entry is not None:
            draft.id = self.entry.source_id or draft.id
            draft.branch, draft.foreign = self.entry.branch, self.entry.foreign
            draft.time = draft.time or utc(self.entry.time)
        for block in _attachments([*draft.user, *draft.assistant]):
            self._fetch(draft, block.file, log)
        return draft

    def _fetch(self, draft: Draft, name: str, log: ProblemLog) -> None:
        found = self.payloads.get(f"{self.folder}/{name}")
        if found is None:
            log.count("missing-attachment", "Attachments of turns are not there.", 1)
        else:
            draft.payloads[name] = lambda: found.read(0, found.size)


def _attachments(blocks: Iterable[Block]) -> Iterator[Attachment]:
    """Yield the attachments of a side, those of tool results too."""
    for block in blocks:
        if isinstance(block, Attachment):
            yield block
        elif isinstance(block, ToolCall) and block.result:
            yield from _attachments(block.result.blocks)
        elif isinstance(block, SubAgent):
            yield from _attachments(block.blocks)


def _transcript(window: str, sessions: list[_Saved]) -> Transcript:
    """Return one window's sessions as one conversation."""
    drafts = [draft for saved in sessions for draft in saved.drafts]
    known = [saved.session for saved in sessions if saved.session]
    if drafts and not drafts[0].time and known:
        drafts[0].time = utc(known[0].created_at)
    others: tuple[str, ...] = tuple(other for session in known for other in session.source.windows)
    facts = Facts(
        format=READER.name,
        windows=(window, *others),
        title=next((session.title for session in reversed(known) if session.title), ""),
        tool_version=next(
            (session.source.tool_version for session in known if session.source.tool_version), ""
        ),
        records=len(drafts),
        unreadable=sum(saved.log.unreadable for saved in sessions),
        problems=tuple(problem for saved in sessions for problem in saved.log.problems()),
    )
    return transcript(drafts, facts)


READER = Reader(name="context", title="Another archive", accepts=accepts, read=read)
