"""CPU of each hook of Claude Code, best of many: `python benchmarks/bench_hook.py`. Issue 7 allows 60 ms.

A worker seems to be at it, so that none is started: it is not the hook's time, and it is the same for all.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT = 60.0
RUNS = int(os.environ.get("RUNS", "25"))
EVENTS = {
    "SessionStart, nothing there": {"source": "startup"},
    "SessionStart, level 1": {"source": "startup"},
    "UserPromptSubmit, English": {"prompt": "please add a test for the login form, and make it ok to leave"},
    "UserPromptSubmit, Vietnamese": {"prompt": "làm tiếp phần đăng nhập nhé"},
    "UserPromptSubmit, mixed": {"prompt": "làm tiếp phần đăng nhập nhé, 就用这个方案吧 and so on"},
    "UserPromptSubmit, leaving": {"prompt": "thôi mai làm tiếp nhé"},
    "UserPromptSubmit, 50 KB pasted": {"prompt": "some pasted line of a log\n" * 2_000},
    "Stop": {"last_assistant_message": "done. " * 400},
    "Stop, end of a workflow": {"last_assistant_message": "```py\nx\n```"},
    "PostToolUse, 200 KB": {"tool_name": "Read", "tool_response": {"stdout": "x" * 200_000}},
    "PermissionRequest": {"tool_name": "Bash"},
    "PreCompact": {"trigger": "auto"},
    "SessionEnd": {"reason": "clear"},
    "an event that we do not know": {},
}


def main() -> int:
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        root = prepared(Path(folder))
        for name, fields in EVENTS.items():
            if name.endswith("level 1"):
                (root / ".brain").mkdir()
                state = {"summary": {"project": "shop", "current_task": "form", "status": "coding"}}
                (root / ".brain/session.json").write_text(json.dumps(state))
                run(["trust"], b"", root)
            cpu, wall = measured(name, fields, root)
            worst = max(worst, cpu)
            print(f"{cpu:6.1f} ms CPU {wall:7.1f} ms wall   {name}")
    print(f"{worst:6.1f} ms CPU at most, of {LIMIT:.0f}")
    return worst > LIMIT


def prepared(folder: Path) -> Path:
    root = folder / "work"
    (root / ".awf-archive").mkdir(parents=True)
    lock = root / ".awf-archive/worker-lock"
    lock.write_text(json.dumps({"pid": os.getpid()}))
    os.utime(lock, (time.time() + 9_999,) * 2)
    return root


def measured(name: str, fields: dict, root: Path) -> tuple[float, float]:
    """Return the least CPU and the least time of many runs, in ms."""
    event = {"session_id": "b", "cwd": str(root), "transcript_path": "/nowhere/b.jsonl"}
    event |= {"hook_event_name": name.partition(",")[0]} | fields
    best = [1e9, 1e9]
    for _ in range(RUNS):
        if "workflow" in name:
            (root / ".awf-archive/hooks/b.json").write_text('{"workflow": "code"}')
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        run(["hook", "claude-code"], json.dumps(event).encode(), root)
        after, ended = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = [min(best[0], cpu * 1e3), min(best[1], (ended - started) * 1e3)]
    return best[0], best[1]


def run(arguments: list, data: bytes, root: Path) -> None:
    program = Path(sys.executable).with_name("awf-archive")
    own = {"AWF_ARCHIVE_DATA_HOME": str(root.parent / "data"), "AWF_ARCHIVE_CONFIG_HOME": str(root.parent)}
    subprocess.run(
        [str(program), *arguments],
        input=data,
        cwd=root,
        env=os.environ | own,
        stdout=subprocess.DEVNULL,
        check=True,
    )


if __name__ == "__main__":
    sys.exit(main())
