"""A summary command behind the hooks: the worker asks it after all jobs, a hook never waits for it (SPEC 1.8, 7)."""

import json
import sys
import time

ANSWERS = r"""
import json, re, sys
asked = sys.stdin.read()
if asked.startswith("List the decisions"):
    said = re.search(r"## (general#\d+)\nUser:\n(question \d+)", asked)
    print(json.dumps({"turn": said[1], "text": said[2], "by": "user", "status": "accepted", "evidence": said[2]}))
    sys.exit()
print("## Overview\nThe questions were answered.\n\n## Important points\n- Turn 1: The first answer was given.")
"""


def test_the_worker_lets_the_command_write_what_a_session_s_end_made_due(working, conversation):
    settings = working.home / "config/awf-archive.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(
        f"chunk_threshold = 4\n[summary]\ndecisions = true\ncommand = {json.dumps([sys.executable, '-c', ANSWERS])}\n",
        encoding="utf-8",
    )
    conversation.asks(4).write()
    working.fire("SessionEnd", reason="clear")
    assert working.wait()

    conversation.asks(4).write()
    working.fire("SessionEnd", reason="clear")

    assert working.wait()
    folder = working.root / ".claude/spec-workflow/specs/general/.context/conversations/semantic-chunks"
    chunk = folder / "chunk-001.md"
    _until(lambda: "The questions were answered." in chunk.read_text(encoding="utf-8"))
    assert (folder / "chunk-001.plain.md").exists()
    decisions = folder.parents[1] / "decisions.json"
    _until(
        lambda: decisions.exists() and '"foundBy":"reading"' in decisions.read_text("utf-8").replace(" ", "")
    )


def _until(is_so, seconds=25):
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)
