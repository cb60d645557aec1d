"""Sub-agents' own files: found beside the parent's by the thread id that the spawning call returned."""

from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from typing import NamedTuple

from awf_archive.domain.transcript import SubAgent
from awf_archive.errors import InputError
from awf_archive.readers.base import Source
from awf_archive.readers.codex.plan import TurnPlan
from awf_archive.readers.codex.records import META, record_of
from awf_archive.readers.codex.source import plain, records_of
from awf_archive.readers.codex.talk import Talk
from awf_archive.readers.shared.collected import Collected
from awf_archive.readers.shared.jsonl import chunks
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import JsonObject, text_at, value_at


class AgentFile(NamedTuple):
    """A sub-agent's rollout."""

    thread: str
    file: str
    source: Source


def find_agents(source: Source, turns: list[TurnPlan]) -> Mapping[str, AgentFile]:
    """Return the files of the sub-agents that turns started; each is part of its turn's fingerprint."""
    found: dict[str, AgentFile] = {}
    for turn in turns:
        for thread in turn.agents:
            for name, file in source.companions(f"rollout-*{thread}.jsonl*").items():
                found[thread] = AgentFile(thread, name, file)
                turn.hasher.update(_digest(file))
    return found


def _digest(source: Source) -> bytes:
    hasher = sha256()
    with suppress(InputError):
        source = plain(source)
    for chunk in chunks(source):
        hasher.update(chunk)
    return hasher.digest()


def load_agent(agent: AgentFile, call: str, collected: Collected) -> SubAgent:
    """Read a sub-agent's whole conversation."""
    talk = Talk(collected, is_agent=True, file=agent.file)
    log = ProblemLog(file=agent.file)
    meta: JsonObject = {}
    try:
        for line in records_of(plain(agent.source)):
            if (raw := log.read(line)) is not None:
                record = record_of(raw)
                meta = meta or (record.payload if record.kind == META else {})
                talk.add(record, line.number)
    except InputError:
        log.add("unreadable", "The sub-agent's file cannot be decompressed.", 0)
    collected.problems.extend(log.problems())
    spawn = value_at(meta, "source", "subagent", "thread_spawn")
    return SubAgent(
        id=agent.thread,
        kind=text_at(spawn, "agent_role") or text_at(meta, "agent_role"),
        description=text_at(spawn, "agent_nickname") or text_at(meta, "agent_nickname"),
        call_id=call,
        blocks=tuple(talk.body),
    )
