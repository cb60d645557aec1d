"""A small archive on disk, written the way a checkpoint writes one, and a browser to look at its site."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from awf_archive.domain import turn_file
from awf_archive.domain.decisions import Decision, Status
from awf_archive.domain.ids import Digest, GlobalTurn, SessionId, TurnId
from awf_archive.domain.manifest import ChunkEntry, Manifest, Moved, SessionEntry
from awf_archive.domain.session import Session, SourceInfo, Summary, TurnEntry
from awf_archive.domain.transcript import Block, Branch, Outline, Start, Text, Turn
from awf_archive.domain.turn_file import Place
from awf_archive.domain.wording import choose
from awf_archive.store.layout import Layout

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
CHROMIUM_ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def a_turn(user: str | Sequence[Block], assistant: str | Sequence[Block] = "fine", **outline) -> Turn:
    blocks = (Text(text=user),) if isinstance(user, str) else tuple(user)
    answer = (Text(text=assistant),) if isinstance(assistant, str) else tuple(assistant)
    known = {
        "id": TurnId("t"),
        "start": Start.PROMPT,
        "time": "2026-01-30T10:04:11Z",
        "prompt_digest": Digest("0" * 64),
        "fingerprint": Digest("1" * 64),
    }
    return Turn(
        outline=Outline(**(known | outline)), user=blocks, assistant=answer, models=("claude-opus-4-5",)
    )


@dataclass
class ArchiveMaker:
    """Writes features, sessions and what belongs to them."""

    layout: Layout
    manifests: dict[str, Manifest] = field(default_factory=dict)

    def save(self, feature: str, turns: Sequence[Turn], *, title: str = "", **session) -> SessionEntry:
        manifest = self.manifests.get(feature, Manifest(spec_id=feature))
        number = len(manifest.sessions) + 1
        session_id = SessionId(f"session-{number:03d}")
        folder = self.layout.session(feature, session_id)
        (folder / "attachments").mkdir(parents=True, exist_ok=True)
        first = manifest.last_end + 1
        entries = [self._turn(folder, session_id, turn, first, local) for local, turn in enumerate(turns, 1)]
        known = {
            "created_at": "2026-01-30T10:30:00Z",
            "phase": "design",
            "title": title,
            "summary": Summary(topics=(title,) if title else ()),
            "source": SourceInfo(format="claude-code", window="w", name="w.jsonl"),
        }
        value = Session(
            session_id=session_id,
            global_range=(first, first + len(turns) - 1),
            turn_count=len(turns),
            turns=tuple(entries),
            **(known | session),
        )
        data = json.dumps(value.to_json(), ensure_ascii=False).encode()
        (folder / "metadata.json").write_bytes(data)
        entry = SessionEntry(
            session_id=session_id,
            global_range=value.global_range,
            status="active",
            metadata_sha256=Digest(hashlib.sha256(data).hexdigest()),
        )
        self.commit(feature, (*manifest.sessions, entry), manifest.chunks)
        return entry

    def _turn(self, folder: Path, session_id: SessionId, turn: Turn, first: int, local: int) -> TurnEntry:
        place = Place(turn=first + local - 1, session=session_id, local=local, format="claude-code")
        data = turn_file.write(turn, place, choose("en"))
        name = f"turn-{local:03d}.md"
        (folder / name).write_bytes(data)
        for file, payload in turn.payloads.items():
            (folder / "attachments" / file).write_bytes(payload)
        return TurnEntry(
            local=local,
            turn=GlobalTurn(first + local - 1),
            file=name,
            sha256=Digest(hashlib.sha256(data).hexdigest()),
            source_id=turn.outline.id,
            fingerprint=turn.outline.fingerprint,
            prompt_sha256=turn.outline.prompt_digest,
            time=turn.outline.time,
            start=turn.outline.start.value,
            branch=turn.outline.branch,
            attachments=tuple(turn.payloads),
        )

    def commit(
        self, feature: str, entries: Sequence[SessionEntry], chunks: Sequence[ChunkEntry] = ()
    ) -> None:
        last = max((entry.global_range[1] for entry in entries), default=0)
        manifest = Manifest(spec_id=feature, last_end=last, recent=tuple(entries), chunks=tuple(chunks))
        self.manifests[feature] = manifest
        path = self.layout.manifest(feature)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(manifest.to_json()), "utf-8")

    def put_away(self, feature: str, session_id: str, now: tuple[str, int]) -> None:
        """Leave behind what `move` leaves: a pointer to feature and number, and the folder under another name."""
        manifest = self.manifests[feature]
        gone = next(one for one in manifest.sessions if one.session_id == session_id)
        moved = Moved(turn_range=gone.global_range, feature=now[0], start=now[1])
        kept = tuple(one for one in manifest.sessions if one is not gone)
        self.manifests[feature] = replace(manifest, recent=kept, moved=(*manifest.moved, moved))
        self.layout.manifest(feature).write_text(json.dumps(self.manifests[feature].to_json()), "utf-8")
        folder = self.layout.conversations(feature) / "moved" / f"{session_id}-2026-02-01T100000Z"
        folder.parent.mkdir(exist_ok=True)
        self.layout.session(feature, session_id).rename(folder)

    def summarize(self, feature: str, first: int, last: int, text: str) -> None:
        path = self.layout.chunk(feature, "chunk-001")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        chunk = ChunkEntry(
            chunk_id="chunk-001", turn_range=(first, last), file="semantic-chunks/chunk-001.md"
        )
        self.commit(feature, self.manifests[feature].sessions, (chunk,))

    def decide(self, feature: str, text: str, turn: int, status: Status = Status.ACCEPTED) -> Decision:
        decision = Decision(
            id="D-001", text=text, reason="because", options=("SQLite", "Postgres"), status=status,
            feature=feature, session="session-001", turn=turn, date="2026-01-30T10:04:11Z", by="user",
            found_by="question", evidence=text, call_id="c",
        )  # fmt: skip
        path = self.layout.decisions(feature)
        path.write_text(json.dumps({"decisions": [decision.to_json()]}), "utf-8")
        return decision


@pytest.fixture(scope="session")
def make_archive():
    return lambda folder: ArchiveMaker(layout=Layout(root=folder / "shop"))


@pytest.fixture(scope="session")
def make_turn():
    return a_turn


@pytest.fixture
def serve():
    """Serve folders on a port of this machine until the test ends."""
    servers = []

    def start(folder: Path) -> str:
        handler = partial(QuietHandler, directory=str(folder))
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        servers.append(server)
        Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: object) -> None:
        pass


@pytest.fixture
def archive(tmp_path) -> ArchiveMaker:
    return ArchiveMaker(layout=Layout(root=tmp_path / "shop"))


@pytest.fixture
def turn():
    return a_turn


@pytest.fixture
def small(archive) -> ArchiveMaker:
    """Two features, three sessions, a rewind, a summary and a decision."""
    archive.save(
        "block-user",
        [
            a_turn("Where do we store turns?", "In **files**, one per turn."),
            a_turn("Redis?", "No.", branch=Branch.ABANDONED),
            a_turn("Quyết định: dùng tệp", "Đã ghi."),
        ],
        title="How turns are stored",
    )
    archive.save("block-user", [a_turn("And search?", "Whoosh.")], title="Search")
    archive.save("đăng nhập", [a_turn("登录怎么做？", "用令牌。")], title="登录设计")
    archive.summarize(
        "block-user", 1, 3, "# Summary 001 (turns 1–3)\n\n## Important points\n- Turn 3: files\n"
    )
    archive.decide("block-user", "Store: files", 3)
    return archive


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """A headless Chromium; without one the test is skipped, but not where CI promises it."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as runner:
        path = CHROMIUM if Path(CHROMIUM).exists() else None
        try:
            chromium = runner.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        except playwright.Error as problem:
            if os.environ.get("CI") == "true":
                raise
            pytest.skip(f"no Chromium here, so pages cannot be looked at: {str(problem).splitlines()[0]}")
        yield chromium
        chromium.close()
