"""Sub-agents' own files: found beside the session, read, and given to the call that started them."""

from dataclasses import dataclass, field
from hashlib import sha256

from awf_archive.domain.ids import WindowId
from awf_archive.domain.transcript import Problem, SubAgent
from awf_archive.readers.base import Source
from awf_archive.readers.claude_code.blocks import Conversation, Gathered
from awf_archive.readers.claude_code.links import Links
from awf_archive.readers.claude_code.log import RecordLog
from awf_archive.readers.claude_code.records import content_of, items_of, typed_items
from awf_archive.readers.claude_code.tree import key_of
from awf_archive.readers.shared.jsonl import chunks, clean, lines
from awf_archive.readers.shared.spans import Role, Spans
from awf_archive.readers.shared.values import JsonObject, decode, text_at, time_of

_NESTED = ("{stem}/subagents/agent-*.jsonl", "{stem}/subagents/workflows/*/agent-*.jsonl")
_FLAT = "agent-*.jsonl"
_META = tuple(pattern.replace(".jsonl", ".meta.json") for pattern in _NESTED)
_META_LIMIT = 1 << 20
_HEAD = 1 << 16


@dataclass(slots=True)
class AgentFile:
    """One sub-agent's file as pass 1 knows it."""

    name: str
    """Path relative to the transcript's folder."""
    source: Source
    id: str
    kind: str = ""
    description: str = ""
    call_id: str = ""
    prompt: bytes = b""
    """Key of its first prompt, by which a call without an id is found."""
    time: str = ""
    digest: bytes = b""
    spans: Spans = field(default_factory=Spans)
    children: list[int] = field(default_factory=list)
    problems: tuple[Problem, ...] = ()
    records: int = 0


def find_agents(source: Source, windows: tuple[WindowId, ...], links: Links) -> list[AgentFile]:
    """Read every sub-agent's file that belongs to these windows."""
    found: dict[str, Source] = {}
    for pattern in _NESTED:
        found.update(source.companions(pattern))
    for name, companion in source.companions(_FLAT).items():
        if name != f"{source.stem}.jsonl" and _session_of(companion) in windows:
            found.setdefault(name, companion)
    metas: dict[str, Source] = {}
    for pattern in _META:
        metas.update(source.companions(pattern))
    return [
        _read(number, name, found[name], metas.get(name.removesuffix(".jsonl") + ".meta.json"), links)
        for number, name in enumerate(sorted(found))
    ]


def _session_of(source: Source) -> str:
    for line in lines(chunks(source, _HEAD)):
        try:
            record, _ = decode(line.data)
        except (ValueError, RecursionError):
            continue
        if session := text_at(record, "sessionId"):
            return session
    return ""


def _read(number: int, name: str, source: Source, meta: Source | None, links: Links) -> AgentFile:
    """Note where a sub-agent's records stand, and whom it called itself."""
    stem = name.rsplit("/", 1)[-1].removesuffix(".jsonl")
    agent = AgentFile(name=name, source=source, id=stem.removeprefix("agent-"))
    log = RecordLog(file=name)
    hasher = sha256()
    uuids: set[str] = set()
    for line in lines(chunks(source)):
        record = log.read(line)
        kind = text_at(record, "type")
        if record is None or not log.is_understood(record, kind, line) or text_at(record, "uuid") in uuids:
            continue
        uuids.add(text_at(record, "uuid") or str(line.number))
        _take(agent, record, links, ~number)
        hasher.update(line.data)
        agent.spans.add(line, Role.BODY)
    if meta is not None:
        hasher.update(_take_meta(agent, meta))
    agent.digest = hasher.digest()
    agent.problems = log.problems()
    return agent


def _take(agent: AgentFile, record: JsonObject, links: Links, owner: int) -> None:
    agent.records += 1
    agent.time = agent.time or time_of(record)
    agent.id = text_at(record, "agentId") or agent.id
    if not agent.prompt and record.get("type") == "user":
        words = "".join(item.text for item in typed_items(items_of(record)))
        agent.prompt = key_of(words) if words else b""
    links.take(record)
    if record.get("type") == "assistant" and content_of(record):
        links.register(record, owner)


def _take_meta(agent: AgentFile, meta: Source) -> bytes:
    """Read the sidecar: the agent's type, description and call."""
    data = meta.read(0, _META_LIMIT)
    try:
        facts, _ = decode(clean(data))
    except (ValueError, RecursionError):
        facts = None
    agent.kind = text_at(facts, "agentType")
    agent.description = text_at(facts, "description")
    agent.call_id = text_at(facts, "toolUseId")
    return data


def attach_agents(agents: list[AgentFile], links: Links, times: list[str]) -> dict[int, list[int]]:
    """Give every sub-agent to the turn, or the other sub-agent, whose call started it.

    Returns the turns' own sub-agents. One without a call goes to the turn that was running at its first
    time, else to the last.
    """
    named = [_named_call(agent, links) for agent in agents]
    for agent, call in zip(agents, named, strict=True):
        agent.call_id = call or links.call_for(agent.prompt)
    owners = [links.owner(agent.call_id) for agent in agents]
    by_turn: dict[int, list[int]] = {}
    for number, agent in enumerate(agents):
        owner = owners[number]
        if owner is None or (owner < 0 and _is_circle(number, owners)):
            by_turn.setdefault(_turn_at(agent.time, times), []).append(number)
        elif owner < 0:
            agents[~owner].children.append(number)
        else:
            by_turn.setdefault(owner, []).append(number)
    return by_turn


def _named_call(agent: AgentFile, links: Links) -> str:
    """Return the call that a sidecar or a result names for this sub-agent."""
    for call in (agent.call_id, links.agents.get(agent.id, "")):
        if links.owner(call) is not None:
            links.claim(call)
            return call
    return ""


def _is_circle(number: int, owners: list[int | None]) -> bool:
    """Tell whether a sub-agent would, by its callers, have called itself."""
    seen = {number}
    owner = owners[number]
    while owner is not None and owner < 0:
        if ~owner in seen:
            return True
        seen.add(~owner)
        owner = owners[~owner]
    return False


def _turn_at(time: str, times: list[str]) -> int:
    """Return the last turn that had begun by then."""
    begun = [number for number, start in enumerate(times) if start and time and start <= time]
    return begun[-1] if begun else len(times) - 1


def digest_of(numbers: list[int], agents: list[AgentFile]) -> bytes:
    """Return a digest over sub-agents and those they started."""
    hasher = sha256()
    for number in numbers:
        hasher.update(agents[number].digest)
        hasher.update(digest_of(agents[number].children, agents))
    return hasher.digest()


def load_agent(number: int, agents: list[AgentFile], gathered: Gathered, caller: Conversation) -> SubAgent:
    """Read a sub-agent's whole conversation, with those it started itself."""
    agent = agents[number]
    talk = Conversation(gathered, file=agent.name, is_agent=True)
    for span in agent.spans:
        record, _ = decode(clean(agent.source.read(span.offset, span.length)))
        if isinstance(record, dict):
            talk.add(record, span.line, Role.BODY)
    children = [load_agent(child, agents, gathered, talk) for child in agent.children]
    return sub_agent(agent, talk, children, caller)


def sub_agent(
    agent: AgentFile, talk: Conversation, children: list[SubAgent], caller: Conversation
) -> SubAgent:
    """Make the block, with the call's own words where the file has no sidecar."""
    call = caller.call(agent.call_id)
    asked = call.input if call else None
    return SubAgent(
        id=agent.id,
        kind=agent.kind or text_at(asked, "subagent_type"),
        description=agent.description or text_at(asked, "description"),
        call_id=agent.call_id,
        blocks=talk.with_agents(children),
    )
