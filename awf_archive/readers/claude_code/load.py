"""Pass 2: reads one turn's records again, by their places, and makes its blocks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce

from awf_archive.domain.ids import TurnId
from awf_archive.domain.transcript import Origin, Outline, Prompt, SubAgent, Turn, Usage
from awf_archive.readers.base import Source
from awf_archive.readers.claude_code.agents import AgentFile, load_agent
from awf_archive.readers.claude_code.blocks import Conversation, Gathered
from awf_archive.readers.claude_code.plan import TurnPlan
from awf_archive.readers.shared.jsonl import clean
from awf_archive.readers.shared.spans import Role, Span
from awf_archive.readers.shared.values import JsonObject, decode, text_at


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLoader:
    """Holds what pass 1 found; each turn is read when it is asked for."""

    source: Source
    plans: Mapping[TurnId, TurnPlan]
    agents: list[AgentFile]
    side_files: Mapping[str, Source]
    """Files of `tool-results/`, by name."""

    def load(self, outline: Outline) -> Turn:
        """Read one turn."""
        plan = self.plans[outline.id]
        gathered = Gathered(self._side_text)
        talk = Conversation(gathered, orphans=frozenset(plan.orphans))
        chains = InlineAgents(gathered)
        for span in plan.spans:
            record = self._record(span)
            if span.role is Role.SIDECHAIN:
                chains.add(record, span.line)
            else:
                talk.add(record, span.line, span.role)
        children = chains.agents(talk)
        children += [load_agent(number, self.agents, gathered, talk) for number in plan.agents]
        return Turn(
            outline=outline,
            user=tuple(talk.user),
            assistant=talk.with_agents(children),
            end_time=talk.end_time,
            models=tuple(talk.models),
            usage=reduce(Usage.__add__, gathered.usage.values(), Usage()),
            payloads=gathered.payloads,
            origin=Origin(file="", line=plan.opening.line),
            problems=tuple(gathered.problems),
        )

    def _record(self, span: Span) -> JsonObject:
        record, _ = decode(clean(self.source.read(span.offset, span.length)))
        return record if isinstance(record, dict) else {}

    def _side_text(self, name: str) -> str | None:
        source = self.side_files.get(name)
        return None if source is None else source.read(0, source.size).decode(errors="surrogateescape")


@dataclass(slots=True)
class InlineAgents:
    """Sub-agents that an old version wrote into the main file, told apart by their chains."""

    gathered: Gathered
    _talks: dict[str, Conversation] = field(default_factory=dict)
    """By the chain's first record or the sub-agent's id."""
    _chain_of: dict[str, str] = field(default_factory=dict)

    def add(self, record: JsonObject, line: int) -> None:
        """Take in one record."""
        uuid = text_at(record, "uuid")
        chain = text_at(record, "agentId") or self._chain_of.get(text_at(record, "parentUuid"), uuid)
        self._chain_of[uuid] = chain
        talk = self._talks.setdefault(chain, Conversation(self.gathered, is_agent=True))
        talk.add(record, line, Role.BODY)

    def agents(self, caller: Conversation) -> list[SubAgent]:
        """Return each with the call that handed over its first prompt."""
        taken: set[str] = set()
        made = []
        for chain, talk in self._talks.items():
            prompt = next((block.text for block in talk.body if isinstance(block, Prompt)), "")
            call_id = caller.call_with_prompt(prompt, taken)
            taken.add(call_id)
            call = caller.call(call_id)
            made.append(
                SubAgent(
                    id=chain,
                    kind=text_at(call.input, "subagent_type") if call else "",
                    description=text_at(call.input, "description") if call else "",
                    call_id=call_id,
                    blocks=talk.with_agents([]),
                )
            )
        return made
