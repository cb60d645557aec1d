"""opencode's sessions: its database, its older tree of files, and its exports (docs/formats/opencode.md)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from awf_archive.domain.ids import Digest, TurnId, WindowId
from awf_archive.domain.transcript import Branch, Origin, Outline, SubAgent, Transcript, Turn
from awf_archive.errors import InputError
from awf_archive.readers.base import Reader, Source
from awf_archive.readers.opencode.records import is_message, is_session, title_of
from awf_archive.readers.opencode.scan import Scan, TurnPlan
from awf_archive.readers.opencode.store import ExportStore, Store, TreeStore, exported
from awf_archive.readers.opencode.talk import Talk
from awf_archive.readers.shared.collected import Collected
from awf_archive.readers.shared.members import is_object, members
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import JsonObject, decode, text_at

_HEAD = 1 << 18
_SQLITE = b"SQLite format 3\0"
_TABLES = tuple(
    re.compile(rb"CREATE TABLE\s+(?:IF NOT EXISTS\s+)?[`\"\[]?" + name + rb"[`\"\]]?\s*\(", re.IGNORECASE)
    for name in (b"session", b"message", b"part")
)
_DEEPEST = 8
"""Sub-agents of sub-agents are read this deep: a damaged file may name itself."""


def accepts(source: Source) -> bool:
    """Tell whether a source is opencode's database, one of its sessions' files, or an export."""
    head = source.read(0, _HEAD)
    if head.startswith(_SQLITE):
        return all(table.search(head) for table in _TABLES) and b"message_id" in head
    if not is_object(head):
        return False
    return is_session(_session_of(head)) or _is_export(head)


def _session_of(head: bytes) -> JsonObject:
    """Return the members of a file that describes one session, or an export's session."""
    found: JsonObject = {}
    for key, line in members(head):
        try:
            found.setdefault(key, decode(line.data)[0])
        except (ValueError, RecursionError):
            continue
    info = found.get("info")
    return info if isinstance(info, dict) and "messages" in found else found


def _is_export(head: bytes) -> bool:
    for key, line in members(head):
        if key == "messages":
            try:
                record, _ = decode(line.data)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict) and isinstance(record.get("parts"), list):
                info = exported(record).info
                return is_message(info) and bool(text_at(info, "sessionID"))
    return False


def read(source: Source) -> Iterator[Transcript]:
    """Read each session that no other one started.

    Raises InputError for a damaged database, or when messages stand in a file of which none can be read.
    """
    head = source.read(0, _HEAD)
    if head.startswith(_SQLITE):
        yield from _read_database(source)
        return
    info = _session_of(head)
    keys = {key for key, _ in members(head)}
    if "messages" in keys:
        yield _transcript(info, ExportStore(source, info), source)
    else:
        made = _transcript(info, TreeStore(source, info), source)
        yield replace(made, agent_of=text_at(info, "parentID"))


def _read_database(source: Source) -> Iterator[Transcript]:
    from awf_archive.readers.opencode.database import DatabaseStore

    store = DatabaseStore(source)
    sessions = store.sessions()
    known = {text_at(session, "id") for session in sessions}
    children = [session for session in sessions if text_at(session, "parentID") in known]
    for session in sessions:
        if session not in children:
            yield _transcript(session, store, source)
    yield from _lonely(sessions, children, store, source)


def _lonely(
    sessions: list[JsonObject], children: list[JsonObject], store: Store, source: Source
) -> Iterator[Transcript]:
    """Read the sub-agents' sessions that no call names: they would stand nowhere else."""
    if not children:
        return
    named = {
        name for session in sessions for turn in Scan(session).read(store).turns for name in turn.children
    }
    for session in children:
        if text_at(session, "id") not in named:
            yield _transcript(session, store, source)


def _transcript(session: JsonObject, store: Store, source: Source) -> Transcript:
    scan = Scan(session).read(store)
    if not scan.turns and scan.log.malformed_messages:
        raise InputError(
            f"{source.name}: nothing in it can be read as opencode's messages.",
            "A newer opencode may have written it: update awf-archive, or name its format with --format.",
        )
    window = WindowId(text_at(session, "id") or source.stem)
    plans = _plans(scan.turns)
    agents = _Agents(store)
    return Transcript(
        format=READER.name,
        windows=(window,),
        outlines=tuple(_outlines(plans, agents)),
        load=_Loader(store=store, session=window, plans=plans, agents=agents).load,
        problems=scan.log.problems(),
        title=title_of(session) or scan.first_prompt,
        cwd=text_at(session, "directory"),
        tool_version=text_at(session, "version"),
        records=scan.records,
        unreadable=scan.log.unreadable,
    )


def _plans(turns: list[TurnPlan]) -> dict[TurnId, TurnPlan]:
    plans: dict[TurnId, TurnPlan] = {}
    for turn in turns:
        name, copy = TurnId(turn.id), 2
        while name in plans:
            name, copy = TurnId(f"{turn.id}-{copy}"), copy + 1
        plans[name] = turn
    return plans


def _outlines(plans: Mapping[TurnId, TurnPlan], agents: "_Agents") -> Iterator[Outline]:
    for name, plan in plans.items():
        whole = plan.hasher.copy()
        for child in plan.children:
            whole.update(agents.digest(child))
        yield Outline(
            id=name,
            start=plan.start,
            time=plan.time,
            prompt_digest=plan.digest,
            fingerprint=Digest(whole.hexdigest()),
            prompt_size=plan.prompt_size,
            branch=Branch.ABANDONED if plan.is_left else Branch.MAIN,
        )


@dataclass(frozen=True, slots=True)
class _Agents:
    """Reads sub-agents' sessions."""

    store: Store

    def digest(self, session: str, depth: int = 0) -> bytes:
        """Return what changes when a sub-agent's session does."""
        whole = b""
        for turn in self._turns(session):
            whole += turn.hasher.digest()
            for child in turn.children if depth < _DEEPEST else ():
                whole += self.digest(child, depth + 1)
        return whole

    def load(self, session: str, call: str, collected: Collected, depth: int = 0) -> SubAgent:
        """Read a sub-agent's whole session."""
        info = self.store.session(session)
        talk, children = Talk(collected), []
        for turn in self._turns(session):
            for ref in turn.refs:
                talk.add(self.store.message(session, ref), ref.line, is_start=False)
            for child, child_call in turn.children.items() if depth < _DEEPEST else ():
                children.append(self.load(child, child_call, collected, depth + 1))
        return SubAgent(
            id=session,
            kind=text_at(info, "agent"),
            description=title_of(info),
            call_id=call,
            blocks=talk.with_agents(children),
        )

    def _turns(self, session: str) -> list[TurnPlan]:
        info = self.store.session(session) or {"id": session}
        return Scan(info, ProblemLog()).read(self.store).turns


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loader:
    """Holds what pass 1 found; each turn is read when it is asked for."""

    store: Store
    session: WindowId
    plans: Mapping[TurnId, TurnPlan]
    agents: _Agents

    def load(self, outline: Outline) -> Turn:
        """Read one turn."""
        plan = self.plans[outline.id]
        collected = Collected()
        talk = Talk(collected)
        for ref in plan.refs:
            talk.add(self.store.message(self.session, ref), ref.line, is_start=ref == plan.opening)
        loaded = [self.agents.load(child, call, collected) for child, call in plan.children.items()]
        children = [agent for agent in loaded if agent.blocks]
        return Turn(
            outline=outline,
            user=tuple(talk.user),
            assistant=talk.with_agents(children),
            end_time=talk.end_time,
            models=tuple(talk.models),
            usage=talk.usage,
            payloads=collected.payloads,
            origin=Origin(file="", line=plan.line),
            problems=tuple(collected.problems),
        )


READER = Reader(name="opencode", title="opencode", accepts=accepts, read=read)
