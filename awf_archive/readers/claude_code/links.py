"""Who started which sub-agent, and which turn made which call."""

from dataclasses import dataclass, field

from awf_archive.readers.claude_code.records import CALL_TYPES, content_of, result_id
from awf_archive.readers.claude_code.tree import key_of
from awf_archive.readers.shared.values import JsonObject, text_at


@dataclass(slots=True)
class Links:
    """Calls by their owner: a turn's number, or, below zero, the sub-agent `~owner`."""

    _owners: dict[bytes, int] = field(default_factory=dict)
    agents: dict[str, str] = field(default_factory=dict)
    """A sub-agent's id, and the call that started it."""
    _prompts: dict[bytes, list[str]] = field(default_factory=dict)
    """Calls that hand a prompt to a sub-agent, by that prompt's key."""

    _claimed: set[str] = field(default_factory=set)

    def register(self, record: JsonObject, owner: int) -> None:
        """Note the calls of an assistant record."""
        for block in content_of(record) or []:
            if isinstance(block, dict) and block.get("type") in CALL_TYPES:
                call = text_at(block, "id")
                self._owners[key_of(call)] = owner
                if prompt := text_at(block, "input", "prompt"):
                    self._prompts.setdefault(key_of(prompt), []).append(call)

    def take(self, record: JsonObject) -> None:
        """Note what a record says of a sub-agent's id and call."""
        if "toolUseResult" in record and (agent := text_at(record["toolUseResult"], "agentId")):
            calls = [result_id(block) for block in content_of(record) or [] if result_id(block)]
            self.agents.setdefault(agent, calls[0] if calls else "")
        if "data" in record and (agent := text_at(record["data"], "agentId")):
            self.agents.setdefault(agent, text_at(record, "parentToolUseID"))

    def owner(self, call: str) -> int | None:
        """Return who made a call."""
        return self._owners.get(key_of(call)) if call else None

    def claim(self, call: str) -> None:
        """Note that a call's sub-agent is known, so that no other is taken for it."""
        self._claimed.add(call)

    def call_for(self, prompt: bytes) -> str:
        """Return the first call that handed this prompt over and has no sub-agent yet."""
        calls = (call for call in self._prompts.get(prompt, []) if call not in self._claimed)
        call = next(calls, "")
        self._claimed.add(call)
        return call
