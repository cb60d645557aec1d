"""What tests of the archive share: conversations that grow, workspaces, and the program itself."""

import contextlib
import io
import json
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from awf_archive import cli as program
from awf_archive.services.checkpoint import Request, checkpoint
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout

# A busy machine is no bug of ours: examples may take their time. CI draws the same ones each time, so that what
# landed stays landed; at a developer's, and in `make soak`, chance goes on looking.
settings.register_profile(
    "awf",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=os.environ.get("CI") == "true",
)
settings.load_profile("awf")

SHARED = Path(__file__).resolve().parents[2] / "shared"
NOW = "2026-03-05T10:00:00Z"
_START = datetime(2026, 3, 2, 9, tzinfo=UTC)


@dataclass
class Talk:
    """A conversation as Claude Code writes it, one record after another."""

    path: Path
    window: str = "0000aaaa-1111-4111-8111-000000000001"
    cwd: str = "/srv/dev/demo"
    branch: str = "main"
    records: list[dict] = field(default_factory=list)
    leaf: str | None = None
    clock: int = 0

    def ask(self, text, *replies, answer="Done."):
        """Add a turn; return the id of its prompt."""
        prompt = self.user(text)
        for reply in replies or (answer,):
            self.reply(reply)
        return prompt

    def asks(self, count, word="question"):
        """Add turns that differ from one another."""
        for _ in range(count):
            self.clock += 1
            self.ask(f"{word} {self.clock}", f"answer {self.clock}")
        return self

    def user(self, content):
        return self.add("user", {"role": "user", "content": content})

    def reply(self, *blocks):
        """Add what the assistant says: texts, or blocks as Claude Code has them."""
        content = [{"type": "text", "text": one} if isinstance(one, str) else one for one in blocks]
        message = {"type": "message", "role": "assistant", "model": "claude-opus-4-7", "content": content}
        usage = {"input_tokens": 10, "output_tokens": 20}
        return self.add(
            "assistant", {"id": f"msg_{self.clock}_{self.window[-4:]}", **message, "usage": usage}
        )

    def call(self, name, given, result, *, is_error=False):
        """Add a tool call and its result."""
        call = f"toolu_{self.clock + 1}_{self.window[-4:]}"
        self.reply({"type": "tool_use", "id": call, "name": name, "input": given})
        answer = {"type": "tool_result", "tool_use_id": call, "content": result, "is_error": is_error}
        return self.user([answer])

    def add(self, kind, message):
        self.clock += 1
        time = (_START + timedelta(seconds=self.clock)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        record = {
            "parentUuid": self.leaf,
            "isSidechain": False,
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.window,
            "version": "2.1.205",
            "gitBranch": self.branch,
            "type": kind,
            "message": message,
            "uuid": f"{len(self.records) + 1:08d}-2222-4222-8222-{self.window[-12:]}",
            "timestamp": time,
        }
        self.records.append(record)
        self.leaf = record["uuid"]
        return self.leaf

    def rewind(self, uuid):
        """Go back to the record before `uuid`; what is said next is another branch."""
        self.leaf = next(one["parentUuid"] for one in self.records if one["uuid"] == uuid)
        return self

    def copy(self, path, window):
        """Return a fork under new ids, with the same times and texts."""
        new = {one["uuid"]: f"{one['uuid'][:24]}{window[-12:]}" for one in self.records}
        records = [
            one | {"sessionId": window, "uuid": new[one["uuid"]], "parentUuid": new.get(one["parentUuid"])}
            for one in self.records
        ]
        leaf = new.get(self.leaf)
        return Talk(path, window, self.cwd, self.branch, records, leaf, self.clock)

    def write(self, records=None):
        """Put the file on disk, or only its first records."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(one, ensure_ascii=True) for one in self.records[:records]]
        self.path.write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")
        return self.path


@dataclass
class Workspace:
    """A workspace with an archive, asked through the services."""

    root: Path
    feature: str = "login"

    def __post_init__(self):
        (self.root / ".awf-archive").mkdir(parents=True, exist_ok=True)

    @property
    def layout(self):
        return Layout(root=self.root)

    @property
    def archive(self):
        return Archive(layout=self.layout)

    @property
    def context(self):
        return self.layout.context(self.feature)

    def save(self, talk, **options):
        """Checkpoint a conversation (or a file); what it returns is the result."""
        path = talk if isinstance(talk, Path) else talk.write()
        wanted = {"transcript": path, "now": NOW, "feature": self.feature} | options
        return checkpoint(self.layout, Request(**wanted))

    def manifest(self):
        return json.loads((self.context / "manifest.json").read_bytes())

    def metadata(self, session):
        return json.loads((self.context / f"conversations/sessions/{session}/metadata.json").read_bytes())

    def turns(self, feature=None):
        """Return every saved turn: number, user's words, assistant's Markdown, branch."""
        name = feature or self.feature
        if not self.layout.manifest(name).exists():
            return []
        return [
            (entry.turn, turn.user, turn.assistant, entry.branch.value)
            for listed, session in self.archive.sessions(name)
            for entry in session.turns
            for turn in [self.archive.turn(name, listed.session_id, entry)]
        ]

    def turn_files(self):
        """Return the bytes of every turn file by its path."""
        root = self.layout.archive
        return {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in root.glob("*/.context/conversations/sessions/session-*/turn-*.md")
        }


def everything(root):
    """Return every file below `root` with its bytes and time of change."""
    return {
        path.relative_to(root).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


@dataclass
class Answer:
    """What the program said."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        assert self.out.count("\n") == 1, "one object on one line and nothing else"
        return json.loads(self.out)

    @property
    def error(self):
        assert self.out == ""
        return json.loads(self.err)["error"]


def _run(*arguments):
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2)]
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        code = program.run([str(one) for one in arguments])
    for stream in streams:
        stream.flush()
    out, err = (stream.buffer.getvalue().decode() for stream in streams)
    return Answer(code, out, err)


@pytest.fixture(scope="session")
def talk_class():
    return Talk


@pytest.fixture(scope="session")
def workspace_class():
    return Workspace


@pytest.fixture(scope="session")
def snapshot():
    return everything


@pytest.fixture
def talk(tmp_path):
    """A conversation without a word in it."""
    return Talk(tmp_path / "transcripts/talk.jsonl")


@pytest.fixture
def workspace(tmp_path):
    """A workspace without an archive."""
    return Workspace(tmp_path / "workspace")


@pytest.fixture
def awf(workspace, tmp_path, monkeypatch):
    """Run the program in the workspace, away from the tester's own files and language."""
    for name in [name for name in os.environ if name.startswith("AWF_ARCHIVE_")]:
        monkeypatch.delenv(name)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("AWF_ARCHIVE_CONFIG_HOME", str(tmp_path / "home/config"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "home/claude"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.chdir(workspace.root)
    return _run


@pytest.fixture(scope="session")
def shared():
    """The folder of real conversations and reported failures."""
    if not SHARED.is_dir():
        pytest.skip(f"{SHARED} is not there: real conversations are not part of the checkout")
    return SHARED


@pytest.fixture(scope="session", autouse=True)
def nobody_elses_home(tmp_path_factory):
    """Keep vaults and settings of every test out of the home of whoever runs them."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWF_ARCHIVE_DATA_HOME", str(home / "data"))
        patch.setenv("AWF_ARCHIVE_CONFIG_HOME", str(home / "config"))
        yield
