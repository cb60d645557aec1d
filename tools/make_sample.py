"""Write `samples/claude-code` from its story, as Claude Code would have written it. Same story, same bytes."""

import base64
import hashlib
import json
import re
import shutil
import uuid
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import sample_steps as step
from sample_story import SETTING

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "samples" / "claude-code"


class Recorder:
    """Turns steps into records, keeping the clock, the parent and the ids."""

    def __init__(
        self, setting: step.Setting, agent: str | None = None, begins: datetime | None = None
    ) -> None:
        self.setting = setting
        self.agent = agent
        self.now = begins or datetime.fromisoformat(setting.begins)
        self.records: list[dict[str, Any]] = []
        self.agents: dict[str, tuple[dict[str, str], list[dict[str, Any]]]] = {}
        self.marks: dict[str, str | None] = {}
        self.parent: str | None = None
        self.message = ""
        self.prompt_id = ""
        self.turn_began = self.now
        self.count = 0

    def tell(self, steps: tuple[Any, ...]) -> None:
        """Record every step, in order."""
        for at, each in enumerate(steps):
            method = "on_" + re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(each).__name__).lower()
            following = steps[at + 1] if at + 1 < len(steps) else None
            if isinstance(each, step.Think | step.Say):
                self.speak(each, following)
            else:
                getattr(self, method)(each)

    # What the person does

    def on_prompt(self, prompt: step.Prompt) -> None:
        """Record a typed prompt and the state of the files before it."""
        self.tick(prompt.pause)
        self.turn_began = self.now
        self.prompt_id = self.uuid()
        content: Any = prompt.text
        more: dict[str, Any] = {} if self.agent else {"permissionMode": "default", "promptSource": "typed"}
        if prompt.image is not None:
            data = base64.b64encode(prompt.image).decode()
            source = {"type": "base64", "media_type": "image/png", "data": data}
            content = [{"type": "text", "text": prompt.text}, {"type": "image", "source": source}]
            more["imagePasteIds"] = [1]
        record = self.record("user", message={"role": "user", "content": content}, **more)
        if not self.agent:
            kept = {"messageId": record["uuid"], "trackedFileBackups": {}, "timestamp": record["timestamp"]}
            self.line(
                "file-history-snapshot", messageId=record["uuid"], snapshot=kept, isSnapshotUpdate=False
            )

    def on_queued(self, queued: step.Queued) -> None:
        """Record a prompt that waited in the queue and was absorbed in the middle of a turn."""
        self.tick(6)
        place = {"timestamp": self.time(), "sessionId": self.setting.session, "content": queued.text}
        self.line("queue-operation", operation="enqueue", **place)
        self.tick(4)
        place["timestamp"] = self.time()
        self.line("queue-operation", operation="remove", **place, reason="absorbed_mid_turn")
        attachment = {"type": "queued_command", "prompt": queued.text, "commandMode": "prompt"}
        self.record("attachment", attachment=attachment)

    def on_slash(self, slash: step.Slash) -> None:
        """Record a slash command, built-in or the project's own."""
        self.tick(slash.pause)
        self.turn_began = self.now
        self.prompt_id = self.uuid()
        name, words = f"<command-name>/{slash.name}</command-name>", slash.arguments
        message = f"<command-message>{slash.name}</command-message>"
        arguments = f"<command-args>{words}</command-args>"
        if slash.expansion is None:
            text = f"\n{' ' * 12}".join((name, message, arguments))
            self.record("user", message={"role": "user", "content": text})
            return
        self.record("user", message={"role": "user", "content": f"{message}\n{name}\n{arguments}"})
        content = [{"type": "text", "text": slash.expansion}]
        self.record("user", message={"role": "user", "content": content}, isMeta=True)

    def on_shell(self, shell: step.Shell) -> None:
        """Record a `!` command and what it printed."""
        self.tick(30)
        self.prompt_id = self.uuid()
        given = f"<bash-input>{shell.command}</bash-input>"
        self.record("user", message={"role": "user", "content": given})
        self.tick(1)
        printed = f"<bash-stdout>{shell.stdout}</bash-stdout><bash-stderr>{shell.stderr}</bash-stderr>"
        self.record("user", message={"role": "user", "content": printed})

    def on_mark(self, mark: step.Mark) -> None:
        """Remember a place."""
        self.marks[mark.name] = self.parent

    def on_rewound(self, rewound: step.Rewound) -> None:
        """Go back: nothing is written, the next record hangs on an earlier one."""
        self.parent = self.marks[rewound.name]

    # What the assistant does

    def speak(self, said: step.Think | step.Say, following: object) -> None:
        """Record thinking or words, in the same message as what follows."""
        self.tick(4)
        if isinstance(said, step.Think):
            signature = base64.b64encode(hashlib.sha512(said.text.encode()).digest()).decode()
            block = {"type": "thinking", "thinking": said.text, "signature": signature}
        else:
            block = {"type": "text", "text": said.text}
        ends = not isinstance(following, step.Think | step.Say | step.Call | step.Together | step.SubAgent)
        self.assistant(block, "end_turn" if ends else "tool_use")
        if ends:
            self.message = ""

    def on_call(self, call: step.Call) -> None:
        """Record one call and its result."""
        self.on_together(step.Together((call,)))

    def on_together(self, together: step.Together) -> None:
        """Record the calls of one message, then their results."""
        made = [(call, self.call(call.name, call.given)) for call in together.calls]
        self.message = ""
        for call, (tool_id, record) in made:
            self.tick(call.seconds)
            self.result(call, tool_id, record)

    def on_sub_agent(self, agent: step.SubAgent) -> None:
        """Record the call; the sub-agent's conversation goes into a file of its own."""
        given = {"description": agent.description, "prompt": agent.prompt, "subagent_type": agent.kind}
        tool_id, record = self.call("Task", given)
        self.message = ""
        name = "a" + hashlib.sha256(tool_id.encode()).hexdigest()[:16]
        inner = Recorder(self.setting, name, self.now)
        inner.tell((step.Prompt(agent.prompt, pause=1), *agent.steps, step.Say(agent.report)))
        meta = {"agentType": agent.kind, "description": agent.description, "toolUseId": tool_id}
        self.agents[name] = (meta, inner.records)
        self.tick(agent.seconds)
        report = {"type": "text", "text": agent.report}
        usage = f"<usage>total_tokens: 18342\ntool_uses: 2\nduration_ms: {agent.seconds * 1000}</usage>"
        note = f"agentId: {name} (for resuming to continue this agent's work if needed)\n{usage}"
        kept = {"status": "completed", "prompt": agent.prompt, "agentId": name, "content": [report]}
        kept |= {"totalDurationMs": agent.seconds * 1000, "totalTokens": 18342, "totalToolUseCount": 2}
        self.result(step.Call("Task", given, [report, {"type": "text", "text": note}], kept), tool_id, record)

    def call(self, name: str, given: dict[str, Any]) -> tuple[str, str]:
        """Record a call; return its id and its record's."""
        self.tick(2)
        tool_id = "toolu_01" + self.digest("tool")[:22]
        block = {
            "type": "tool_use",
            "id": tool_id,
            "name": name,
            "input": given,
            "caller": {"type": "direct"},
        }
        return tool_id, self.assistant(block, "tool_use")["uuid"]

    def result(self, call: step.Call, tool_id: str, asked_by: str) -> None:
        """Record what a call gave back."""
        block: dict[str, Any] = {"tool_use_id": tool_id, "type": "tool_result", "content": call.output}
        kept = call.kept
        if call.is_error:
            block["is_error"] = True
            kept = f"Error: {call.output}"
        elif call.name == "Bash":
            block["is_error"] = False
            kept = {"stdout": call.output, "stderr": "", "interrupted": False, "isImage": False}
        self.parent = asked_by
        message = {"role": "user", "content": [block]}
        self.record("user", message=message, toolUseResult=kept, sourceToolAssistantUUID=asked_by)

    def assistant(self, block: dict[str, Any], stop: str) -> dict[str, Any]:
        """Record one block of the message that is being said."""
        self.message = self.message or self.digest("message")[:22]
        said = len(json.dumps(block, ensure_ascii=False)) // 4
        usage = {
            "input_tokens": 6,
            "cache_creation_input_tokens": 900 + said,
            "cache_read_input_tokens": 16_000 + 310 * self.count,
            "output_tokens": said,
            "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
            "service_tier": "standard",
        }
        message = {"model": self.setting.model, "id": f"msg_01{self.message}", "type": "message"}
        message |= {"role": "assistant", "content": [block], "stop_reason": stop, "stop_sequence": None}
        return self.record(
            "assistant", message=message | {"usage": usage}, requestId=f"req_011{self.message[:21]}"
        )

    # What the tool adds

    def on_compacted(self, compacted: step.Compacted) -> None:
        """Record an automatic compaction and its summary."""
        self.tick(2)
        before, self.parent = self.parent, None
        numbers = {
            "trigger": "auto",
            "preTokens": compacted.tokens,
            "postTokens": 9_120,
            "durationMs": 41_300,
        }
        more = {"content": "Conversation compacted", "level": "info", "compactMetadata": numbers}
        self.record("system", subtype="compact_boundary", logicalParentUuid=before, **more)
        message = {"role": "user", "content": compacted.summary}
        self.record("user", message=message, isVisibleInTranscriptOnly=True, isCompactSummary=True)
        self.message = ""

    def on_title(self, title: step.Title) -> None:
        """Record a title."""
        self.line("ai-title", aiTitle=title.text, sessionId=self.setting.session)

    def on_turn_end(self, _: step.TurnEnd) -> None:
        """Record how long the turn took and where the conversation stands."""
        took = int((self.now - self.turn_began).total_seconds() * 1000)
        leaf = self.parent
        self.record("system", subtype="turn_duration", durationMs=took, messageCount=self.count, isMeta=False)
        self.line("last-prompt", leafUuid=leaf, sessionId=self.setting.session)

    # Records and ids

    def record(self, kind: str, **fields: object) -> dict[str, Any]:
        """Add a record that stands in the tree."""
        where = {"cwd": self.setting.cwd, "sessionId": self.setting.session, "version": self.setting.version}
        record: dict[str, Any] = {"parentUuid": self.parent, "isSidechain": self.agent is not None}
        if self.agent:
            record["agentId"] = self.agent
        if kind == "user":
            record["promptId"] = self.prompt_id
        record |= {"type": kind, **fields, "uuid": self.uuid(), "timestamp": self.time()}
        record |= {"userType": "external", "entrypoint": "cli", **where}
        record |= {"gitBranch": self.setting.branch, "slug": self.setting.slug}
        self.records.append(record)
        self.parent = record["uuid"]
        return record

    def line(self, kind: str, **fields: object) -> None:
        """Add a record that stands outside the tree."""
        self.records.append({"type": kind, **fields})

    def tick(self, seconds: int) -> None:
        """Let time pass."""
        self.count += 1
        self.now += timedelta(seconds=seconds, milliseconds=137 * self.count % 1000)

    def time(self) -> str:
        """Return the clock as records hold it."""
        return self.now.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.now.microsecond // 1000:03}Z"

    def digest(self, what: str) -> str:
        """Return letters and digits that differ each time and never change."""
        self.count += 1
        name = f"{self.setting.session}/{self.agent}/{what}/{self.count}/{len(self.records)}"
        return re.sub(r"[^A-Za-z0-9]", "", base64.b64encode(hashlib.sha512(name.encode()).digest()).decode())

    def uuid(self) -> str:
        """Return the next record's id."""
        return str(uuid.uuid5(uuid.UUID(self.setting.session), self.digest("uuid")))


def lines(records: list[dict[str, Any]]) -> str:
    """Return records as JSON Lines."""
    return "".join(json.dumps(each, ensure_ascii=False, separators=(",", ":")) + "\n" for each in records)


def opening(setting: step.Setting) -> list[dict[str, Any]]:
    """Return what the tool writes before the first word."""
    here = {"sessionId": setting.session}
    return [
        {"type": "mode", "mode": "normal", **here},
        {"type": "permission-mode", "permissionMode": "default", **here},
    ]


def write(setting: step.Setting) -> Path:
    """Write the transcript and its sub-agents; return the transcript's path."""
    recorder = Recorder(setting)
    recorder.tell(setting.steps)
    shutil.rmtree(FOLDER, ignore_errors=True)
    project = FOLDER / re.sub(r"[^A-Za-z0-9]", "-", setting.cwd)
    agents = project / setting.session / "subagents"
    agents.mkdir(parents=True)
    main = project / f"{setting.session}.jsonl"
    main.write_text(lines(opening(setting) + recorder.records), encoding="utf-8")
    for name, (meta, records) in recorder.agents.items():
        (agents / f"agent-{name}.jsonl").write_text(lines(records), encoding="utf-8")
        (agents / f"agent-{name}.meta.json").write_text(
            json.dumps(meta, ensure_ascii=False), encoding="utf-8"
        )
    return main


if __name__ == "__main__":
    print(write(SETTING).relative_to(ROOT))
