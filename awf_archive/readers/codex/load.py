"""Pass 2: reads one turn's records again, by their places, and makes its blocks."""

from collections.abc import Mapping
from dataclasses import dataclass

from awf_archive.domain.ids import TurnId
from awf_archive.domain.transcript import Origin, Outline, Turn
from awf_archive.readers.base import Source
from awf_archive.readers.codex.agents import AgentFile, load_agent
from awf_archive.readers.codex.plan import TurnPlan
from awf_archive.readers.codex.records import Record, record_of
from awf_archive.readers.codex.talk import Talk
from awf_archive.readers.shared.collected import Collected
from awf_archive.readers.shared.jsonl import clean
from awf_archive.readers.shared.spans import Span
from awf_archive.readers.shared.values import decode


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLoader:
    """Holds what pass 1 found; each turn is read when it is asked for."""

    source: Source
    plans: Mapping[TurnId, TurnPlan]
    agents: Mapping[str, AgentFile]
    """Sub-agents' files, by thread id."""

    def load(self, outline: Outline) -> Turn:
        """Read one turn."""
        plan = self.plans[outline.id]
        collected = Collected()
        talk = Talk(collected, counted=plan.counted)
        for span in plan.spans:
            talk.add(self._record(span), span.line, span.role)
        children = [
            load_agent(self.agents[thread], call, collected)
            for thread, call in plan.agents.items()
            if thread in self.agents
        ]
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

    def _record(self, span: Span) -> Record:
        raw, _ = decode(clean(self.source.read(span.offset, span.length)))
        return record_of(raw if isinstance(raw, dict) else {})
