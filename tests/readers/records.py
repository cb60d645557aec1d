"""Claude Code records for tests, with ids that count up."""

import json
from itertools import count

SESSION = "5e551011-0000-4000-8000-00000000000a"


class Session:
    """Writes records one after the other, each the child of the one before."""

    def __init__(self):
        self.records = []
        self.parent = None
        self._numbers = count(1)

    def add(self, kind, **fields):
        number = next(self._numbers)
        uuid = f"{number:08d}-0000-4000-8000-00000000000a"
        record = {
            "type": kind,
            "uuid": uuid,
            "parentUuid": self.parent,
            "sessionId": SESSION,
            "timestamp": f"2026-05-01T08:{number // 60 % 60:02d}:{number % 60:02d}Z",
            **fields,
        }
        self.records.append(record)
        self.parent = uuid
        return uuid

    def user(self, content, **fields):
        return self.add("user", message={"role": "user", "content": content}, **fields)

    def assistant(self, *blocks, **fields):
        message = {
            "id": f"msg_{len(self.records)}",
            "role": "assistant",
            "model": "m",
            "content": list(blocks),
        }
        return self.add("assistant", message=message, **fields)

    def say(self, text, **fields):
        return self.assistant({"type": "text", "text": text}, **fields)

    def call(self, name, call, given):
        return self.assistant({"type": "tool_use", "id": call, "name": name, "input": given})

    def result(self, call, content, **fields):
        return self.user([{"type": "tool_result", "tool_use_id": call, "content": content}], **fields)

    def bytes(self):
        return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in self.records)
