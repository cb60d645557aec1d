"""Measure `site build` on a large archive: cold, from the cache, with one new session, and with nothing new.

Each build is a process of its own; CPU counts it and the processes it starts. Appends JSON lines to
`benchmarks/runs/site/<date>.jsonl`. Usage: python benchmarks/bench_site.py [--sessions 5000] [--pages-alone]
"""

import argparse
import hashlib
import json
import os
import platform
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from generator import sentence

from awf_archive.domain import turn_file
from awf_archive.domain.decisions import Decision, Status
from awf_archive.domain.ids import Digest, GlobalTurn, SessionId, TurnId
from awf_archive.domain.manifest import Manifest, SessionEntry
from awf_archive.domain.session import Session, SourceInfo, Summary, TurnEntry
from awf_archive.domain.transcript import Outline, Start, Text, ToolCall, ToolResult, Turn
from awf_archive.domain.turn_file import Place
from awf_archive.domain.wording import choose
from awf_archive.store.layout import Layout

ROOT = Path(__file__).resolve().parent.parent
PER_FEATURE, TURNS, DECISIONS = 40, 20, 20
LANGUAGES = ("en",) * 12 + ("vi",) * 5 + ("zh",) * 3
START = datetime(2025, 12, 1, tzinfo=UTC)


def turn_of(rng: random.Random, language: str, moment: datetime) -> Turn:
    """Return a turn of about 1.4 KB: a prompt, one tool call, an answer with a list and code."""
    points = "\n".join(f"- **{sentence(rng, language, 2)}** {sentence(rng, language, 8)}" for _ in range(3))
    name, factor = rng.randrange(999), rng.randrange(99)
    code = f"```python\ndef step_{name}(value: int) -> int:\n    return value * {factor}\n```"
    answer = "\n\n".join((sentence(rng, language, 30), points, code, sentence(rng, language, 25)))
    path = f"src/part_{rng.randrange(40)}/module_{rng.randrange(30)}.py"
    call = ToolCall(
        id="c",
        name=rng.choice(("Read", "Edit", "Bash")),
        input={"file_path": path},
        result=ToolResult(blocks=(Text(text=sentence(rng, "en", 20)),)),
    )
    outline = Outline(
        id=TurnId("t"),
        start=Start.PROMPT,
        time=moment.isoformat().replace("+00:00", "Z"),
        prompt_digest=Digest("0" * 64),
        fingerprint=Digest("1" * 64),
    )
    prompt = sentence(rng, language, 25)
    return Turn(
        outline=outline,
        user=(Text(text=prompt),),
        assistant=(call, Text(text=answer)),
        models=("claude-opus-4-5",),
    )


def session_of(layout: Layout, feature: str, number: int, seed: int) -> SessionEntry:
    """Write one session and return its line for the manifest."""
    rng = random.Random(seed)  # noqa: S311 - the same archive every time
    language = LANGUAGES[seed % len(LANGUAGES)]
    session_id = SessionId(f"session-{number:03d}")
    folder = layout.session(feature, session_id)
    folder.mkdir(parents=True, exist_ok=True)
    first = (number - 1) * TURNS + 1
    moment = START + timedelta(hours=seed * 8760 / 5000)
    entries = []
    for local in range(1, TURNS + 1):
        turn = turn_of(rng, language, moment + timedelta(minutes=3 * local))
        place = Place(turn=first + local - 1, session=session_id, local=local, format="claude-code")
        data = turn_file.write(turn, place, choose("en"))
        name = f"turn-{local:03d}.md"
        (folder / name).write_bytes(data)
        entries.append(
            TurnEntry(
                local=local,
                turn=GlobalTurn(first + local - 1),
                file=name,
                sha256=Digest(hashlib.sha256(data).hexdigest()),
                source_id=TurnId("t"),
                fingerprint=turn.outline.fingerprint,
                prompt_sha256=turn.outline.prompt_digest,
                time=turn.outline.time,
            )
        )
    title = sentence(rng, language, 6)
    session = Session(
        session_id=session_id,
        created_at=moment.isoformat(),
        global_range=(first, first + TURNS - 1),
        turn_count=TURNS,
        phase="design",
        title=title,
        summary=Summary(topics=(title, sentence(rng, language, 6))),
        source=SourceInfo(format="claude-code", window="w", name="w.jsonl"),
        turns=tuple(entries),
    )
    data = json.dumps(session.to_json(), ensure_ascii=False).encode()
    (folder / "metadata.json").write_bytes(data)
    digest = Digest(hashlib.sha256(data).hexdigest())
    return SessionEntry(
        session_id=session_id, global_range=session.global_range, status="saved", metadata_sha256=digest
    )


def commit(layout: Layout, feature: str, entries: list[SessionEntry]) -> None:
    """Write the manifest that names these sessions."""
    manifest = Manifest(spec_id=feature, last_end=entries[-1].global_range[1], recent=tuple(entries))
    layout.manifest(feature).write_text(json.dumps(manifest.to_json()), "utf-8")


def decide(layout: Layout, feature: str, rng: random.Random, turns: int) -> None:
    """Write a feature's decisions."""
    decisions = [
        Decision(
            id=f"D-{number:03d}",
            text=sentence(rng, "vi", 10),
            reason=sentence(rng, "en", 12),
            options=("a", "b"),
            status=Status.ACCEPTED,
            feature=feature,
            session="session-001",
            turn=rng.randrange(1, turns),
            date=(START + timedelta(days=number)).isoformat(),
            by="user",
            found_by="question",
            evidence=sentence(rng, "en", 12),
            call_id="c",
        ).to_json()
        for number in range(1, DECISIONS + 1)
    ]
    layout.decisions(feature).write_text(json.dumps({"decisions": decisions}), "utf-8")


def archive(root: Path, sessions: int) -> list[SessionEntry]:
    """Write the archive unless it is there; return the entries of its last feature."""
    layout = Layout(root=root)
    entries: list[SessionEntry] = []
    for number in range(-(-sessions // PER_FEATURE)):
        feature = f"feature-{number:03d}"
        first = number * PER_FEATURE
        many = min(PER_FEATURE, sessions - first)
        layout.conversations(feature).mkdir(parents=True, exist_ok=True)
        entries = [session_of(layout, feature, at + 1, first + at) for at in range(many)]
        commit(layout, feature, entries)
        decide(layout, feature, random.Random(number), many * TURNS)  # noqa: S311 - the same every time
    return entries


def measure(name: str, root: Path, *options: str) -> dict[str, object]:
    """Build once in a process of its own; return what it cost and what came out."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(
        [sys.executable, "-m", "awf_archive", "site", "build", "--workspace", root, *options],
        check=True,
        capture_output=True,
    )
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    files = [path.stat() for path in Layout(root=root).site.rglob("*") if path.is_file()]
    found: dict[str, object] = {
        "task": name,
        "cpu_s": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2),
        "wall_s": round(wall, 2),
        "peak_mb": after.ru_maxrss // 1024,
        "files": len(files),
        "site_mb": round(sum(one.st_size for one in files) / 1e6, 1),
        "load": round(os.getloadavg()[0], 1),
    }
    print(json.dumps(found), flush=True)
    return found


def main() -> None:
    """Run the builds in order and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=5000)
    parser.add_argument("--pages-alone", action="store_true", help="leave out the words of the turns")
    asked = parser.parse_args()
    layout_of = Path(tempfile.gettempdir()) / f"awf-archive-bench-site-{asked.sessions}"
    shutil.rmtree(layout_of, ignore_errors=True)
    entries = archive(layout_of, asked.sessions)
    layout = Layout(root=layout_of)
    options = ("--without-words",) if asked.pages_alone else ()
    results = [measure("cold", layout_of, *options)]
    # Deleting it would slow what follows: ext4 steps over freed inodes.
    layout.site.rename(layout_of / "site-before")
    results.append(measure("from cache into an empty folder", layout_of, *options))
    results.append(measure("nothing new", layout_of, *options))
    feature = f"feature-{-(-asked.sessions // PER_FEATURE) - 1:03d}"
    entries.append(session_of(layout, feature, len(entries) + 1, asked.sessions))
    commit(layout, feature, entries)
    results.append(measure("one new session", layout_of, *options))
    runs = ROOT / "benchmarks" / "runs" / "site" / f"{datetime.now(UTC).date().isoformat()}.jsonl"
    runs.parent.mkdir(parents=True, exist_ok=True)
    facts = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "sessions": asked.sessions,
        "words": not asked.pages_alone,
        "python": platform.python_version(),
        "cpus": os.cpu_count(),
    }
    with runs.open("a", encoding="utf-8") as stream:
        stream.writelines(json.dumps(facts | one) + "\n" for one in results)


if __name__ == "__main__":
    main()
