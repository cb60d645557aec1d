"""Rollouts as a few calls: one line per record, a second apart."""

import json

WINDOW = "019dd8e4-15dd-7143-95e8-0000000000c1"


class Rollout:
    """Writes both streams, as most versions do."""

    def __init__(self, window=WINDOW, **meta):
        self.lines = []
        self.add("session_meta", id=window, cwd="/srv/dev/demo", cli_version="0.130.0", source="cli", **meta)

    def add(self, kind, **payload):
        second = len(self.lines)
        time = f"2026-04-29T10:{second // 60:02}:{second % 60:02}.000Z"
        self.lines.append(
            json.dumps({"timestamp": time, "type": kind, "payload": payload}, ensure_ascii=False)
        )

    def event(self, kind, **payload):
        self.add("event_msg", type=kind, **payload)

    def item(self, kind, **payload):
        self.add("response_item", type=kind, **payload)

    def task(self, turn, model="gpt-5.5"):
        self.event("task_started", turn_id=turn)
        self.add("turn_context", turn_id=turn, model=model, cwd="/srv/dev/demo")

    def user(self, words, *, echo=True):
        self.item("message", role="user", content=[{"type": "input_text", "text": words}])
        if echo:
            self.event("user_message", message=words, images=[])

    def say(self, words, *, echo=True):
        if echo:
            self.event("agent_message", message=words)
        self.item("message", role="assistant", content=[{"type": "output_text", "text": words}])

    def call(self, call, name="shell", **given):
        self.item("function_call", name=name, arguments=json.dumps(given), call_id=call)

    def result(self, call, output):
        self.item("function_call_output", call_id=call, output=output)

    def tokens(self, total, last):
        info = {"total_token_usage": {"total_tokens": total}, "last_token_usage": last}
        self.event("token_count", info=info)

    def bytes(self):
        return "".join(f"{line}\n" for line in self.lines).encode()
