"""Gemini CLI's chat files, both generations (docs/formats/gemini.md)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from awf_archive.domain.ids import TurnId, WindowId
from awf_archive.domain.transcript import Branch, Origin, Outline, Start, SubAgent, Transcript, Turn
from awf_archive.errors import InputError
from awf_archive.readers.base import Reader, Source, single
from awf_archive.readers.gemini.records import is_header, is_message, is_update
from awf_archive.readers.gemini.scan import Entry, Scan, TurnPlan
from awf_archive.readers.gemini.source import Messages, head_records, scanned
from awf_archive.readers.gemini.talk import Talk
from awf_archive.readers.shared.collected import Collected

_PLAIN_ID = re.compile(r"[A-Za-z0-9_-]+")
"""What may become part of a search pattern for files."""


def accepts(source: Source) -> bool:
    """Tell whether the first records are Gemini CLI's own: its header, or messages of its types."""
    return any(
        is_header(record) or is_message(record) or is_update(record) for record in head_records(source)
    )


def read(source: Source) -> Transcript:
    """Read a conversation: outlines now, each turn's text when it is asked for.

    Raises InputError when the file holds messages of which none can be read.
    """
    scan = scanned(source)
    turns = scan.turns()
    _refuse_unread(scan, turns, source)
    window = scan.facts.get("sessionId") or source.stem
    agents = _agents(source, window)
    _attach(turns, agents)
    plans = _plans(turns, window)
    loader = _Loader(messages=Messages(source), plans=plans, agents=agents)
    return Transcript(
        format=READER.name,
        windows=(WindowId(window),),
        outlines=tuple(_outlines(plans, scan)),
        load=loader.load,
        problems=(
            *scan.log.problems(),
            *(found for one in agents.values() for found in one.scan.log.problems()),
        ),
        title=scan.title(),
        records=scan.records,
        unreadable=scan.log.unreadable,
        duplicates=scan.duplicates,
        agent_of=source.path.parent.name if scan.is_agents else "",
    )


def _refuse_unread(scan: Scan, turns: list[TurnPlan], source: Source) -> None:
    if turns:
        return
    broken = any(problem.code == "unreadable" for problem in scan.log.problems())
    if scan.unknown or scan.log.malformed_messages or (broken and not scan.records):
        raise InputError(
            f"{source.name}: nothing in it can be read as Gemini CLI's messages.",
            "A newer Gemini CLI may have written it: update awf-archive, or name its format with --format.",
        )


@dataclass(frozen=True, slots=True)
class _Agent:
    """A sub-agent's file, read once for its places."""

    file: str
    source: Source
    scan: Scan

    @property
    def id(self) -> str:
        return self.source.stem


def _agents(source: Source, window: str) -> Mapping[str, _Agent]:
    """Return the sub-agents' files: they lie in a folder named after the conversation."""
    if not _PLAIN_ID.fullmatch(window):
        return {}
    files: dict[str, Source] = {}
    for ending in ("jsonl", "json"):
        files |= source.companions(f"{window}/*.{ending}")
    return {name: _Agent(name, file, scanned(file, name)) for name, file in files.items()}


def _attach(turns: list[TurnPlan], agents: Mapping[str, _Agent]) -> None:
    """Give each sub-agent to the turn whose call names it, else to the one that ran when it began."""
    calls = {agent: (turn, call) for turn in turns for entry in turn.entries for agent, call in entry.agents}
    for name, agent in agents.items():
        own = calls.get(agent.id) or calls.get(agent.scan.facts.get("sessionId", ""))
        turn, call = own or (_running(turns, agent.scan.facts.get("startTime", "")), "")
        if turn is not None:
            turn.agents[name] = call
            for entry in agent.scan.entries:
                turn.hasher.update(entry.digest)


def _running(turns: list[TurnPlan], time: str) -> TurnPlan | None:
    begun = [turn for turn in turns if turn.opening.time <= time] or turns
    return begun[-1] if begun else None


def _plans(turns: list[TurnPlan], window: str) -> dict[TurnId, TurnPlan]:
    """Return the turns by the id of the message that starts each; where ids repeat, later ones get a number."""
    plans: dict[TurnId, TurnPlan] = {}
    for number, turn in enumerate(turns, 1):
        base = turn.opening.id or f"{window}-{number}"
        name, copy = TurnId(base), 2
        while name in plans:
            name, copy = TurnId(f"{base}-{copy}"), copy + 1
        plans[name] = turn
    return plans


def _outlines(plans: Mapping[TurnId, TurnPlan], scan: Scan) -> Iterator[Outline]:
    for name, plan in plans.items():
        opening = plan.opening
        start = Start.MACHINE if scan.is_agents or opening.start is None else opening.start
        yield Outline(
            id=name,
            start=start,
            time=opening.time or scan.facts.get("startTime", ""),
            prompt_digest=opening.prompt_digest,
            fingerprint=plan.fingerprint(),
            prompt_size=opening.prompt_size,
            branch=Branch.ABANDONED if opening.is_left else Branch.MAIN,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loader:
    """Holds what pass 1 found; each turn is read when it is asked for."""

    messages: Messages
    plans: Mapping[TurnId, TurnPlan]
    agents: Mapping[str, _Agent]

    def load(self, outline: Outline) -> Turn:
        """Read one turn."""
        plan = self.plans[outline.id]
        collected = Collected()
        talk = Talk(collected)
        _talked(talk, self.messages, plan.entries, plan.opening)
        children = [_sub_agent(self.agents[name], call, collected) for name, call in plan.agents.items()]
        return Turn(
            outline=outline,
            user=tuple(talk.user),
            assistant=talk.with_agents(children),
            end_time=talk.end_time,
            models=tuple(talk.models),
            usage=talk.usage,
            payloads=collected.payloads,
            origin=Origin(file="", line=plan.opening.place.line),
            problems=tuple(collected.problems),
        )


def _talked(talk: Talk, messages: Messages, entries: list[Entry], opening: Entry | None) -> None:
    for entry in entries:
        talk.add(messages.at(entry.place), entry.place.line, is_start=entry is opening)


def _sub_agent(agent: _Agent, call: str, collected: Collected) -> SubAgent:
    talk = Talk(collected, is_agent=True, file=agent.file)
    _talked(talk, Messages(agent.source), agent.scan.entries, None)
    return SubAgent(
        id=agent.scan.facts.get("sessionId") or agent.id,
        kind="",
        description=agent.scan.facts.get("summary", ""),
        call_id=call,
        blocks=tuple(talk.body),
    )


READER = Reader(name="gemini-cli", title="Gemini CLI", accepts=accepts, read=single(read))
