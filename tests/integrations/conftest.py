"""A stand-in for Claude Code: it fires our hooks as real processes with real JSON, and starts no assistant."""

import contextlib
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

HOOK = [sys.executable, "-m", "awf_archive", "hook", "claude-code"]
WINDOW = "71717171-1111-4111-8111-111111111111"


@dataclass
class Answer:
    code: int
    out: str
    err: str
    seconds: float

    @property
    def json(self):
        return json.loads(self.out) if self.out else {}


@dataclass
class Tool:
    """One window of the tool, in a workspace of its own, away from the tester's files."""

    home: Path
    root: Path
    window: str = WINDOW
    extra: dict = field(default_factory=dict)

    @property
    def environment(self):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("AWF_ARCHIVE_")}
        return kept | {
            "HOME": str(self.home),
            "AWF_ARCHIVE_CONFIG_HOME": str(self.home / "config"),
            "AWF_ARCHIVE_DATA_HOME": str(self.home / "data"),
            "CLAUDE_CONFIG_DIR": str(self.home / "claude"),
            "LC_ALL": "C.UTF-8",
            **self.extra,
        }

    @property
    def private(self):
        return self.root / ".awf-archive"

    @property
    def transcript(self):
        return self.home / "claude/projects/-work" / f"{self.window}.jsonl"

    def event(self, name, **fields):
        common = {"session_id": self.window, "cwd": str(self.root), "transcript_path": str(self.transcript)}
        return common | {"hook_event_name": name} | fields

    def start(self, name, **fields):
        """Start a hook and leave it running."""
        return self.start_raw(json.dumps(self.event(name, **fields)).encode())

    def start_raw(self, data):
        process = subprocess.Popen(
            HOOK, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment
        )
        process.stdin.write(data)
        process.stdin.close()
        process.stdin = None
        return process

    def fire(self, name, **fields):
        return self.fire_raw(json.dumps(self.event(name, **fields)).encode())

    def fire_raw(self, data):
        started = time.monotonic()
        done = subprocess.run(HOOK, input=data, capture_output=True, env=self.environment, check=False)
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode(), time.monotonic() - started)

    def run(self, *arguments, text=""):
        """Run a command of the program in the workspace."""
        done = subprocess.run(
            [sys.executable, "-m", "awf_archive", *arguments],
            input=text.encode(),
            capture_output=True,
            env=self.environment,
            cwd=self.root,
            check=False,
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode(), 0)

    def jobs(self):
        jobs = []
        for path in sorted((self.private / "queue").glob("*.json")):
            with contextlib.suppress(FileNotFoundError):  # done meanwhile
                jobs.append(json.loads(path.read_bytes()))
        return jobs

    def triggers(self):
        return [(job["kind"], job["trigger"]) for job in self.jobs()]

    def counts(self):
        return json.loads((self.private / "hooks" / f"{self.window}.json").read_bytes())

    def state(self):
        return json.loads((self.root / ".brain/session.json").read_bytes())

    def log(self):
        paths = (self.private / "log/hook.log", self.home / "data/log/hook.log")
        return "".join(path.read_text() for path in paths if path.exists())

    def keep_worker_away(self):
        """Look as if a worker were at it, so that jobs stay where they are."""
        self.private.mkdir(parents=True, exist_ok=True)
        claim = {"pid": os.getpid(), "host": "here", "token": "t"}
        path = self.private / "worker-lock"
        path.write_text(json.dumps(claim))
        later = time.time() + 3_600
        os.utime(path, (later, later))

    def let_worker_in(self):
        (self.private / "worker-lock").unlink(missing_ok=True)

    def wait(self, seconds=25):
        """Wait until no job waits and no worker works."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not self.jobs() and not (self.private / "worker-lock").exists():
                return True
            time.sleep(0.05)
        return False


@pytest.fixture
def tool(tmp_path):
    """A window whose jobs stay in the queue."""
    made = Tool(tmp_path / "home", tmp_path / "work place")
    (made.home / "data").mkdir(parents=True)
    made.root.mkdir()
    (made.root / ".git").mkdir()
    made.keep_worker_away()
    return made


@pytest.fixture
def working(tool):
    """A window whose jobs are worked off as they come."""
    tool.let_worker_in()
    return tool


@pytest.fixture
def conversation(tool, talk_class):
    """A conversation in the tool's folder."""
    return talk_class(tool.transcript, tool.window, str(tool.root))


@pytest.fixture(scope="session")
def tool_class():
    return Tool
