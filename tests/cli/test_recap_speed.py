"""SPEC 4's times, whole processes over an archive of 100 000 turns; CPU, because wall time is the neighbours' too."""

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

resource = pytest.importorskip("resource")
PROGRAM = Path(sys.executable).with_name("awf-archive")
SESSIONS, TURNS = 500, 200


@pytest.fixture(scope="module")
def large(tmp_path_factory, workspace_class, talk_class):
    """An archive of 100 000 turns: one real session, and 499 that share its turn files."""
    folder = tmp_path_factory.mktemp("large")
    workspace = workspace_class(folder / "workspace", "shop")
    workspace.save(talk_class(folder / "talk.jsonl").asks(TURNS))
    sessions = workspace.context / "conversations/sessions"
    metadata, manifest = workspace.metadata("session-001"), workspace.manifest()
    entries = []
    for place in range(SESSIONS):
        name, first = f"session-{place + 1:03d}", place * TURNS
        turns = [one | {"turn": one["local"] + first} for one in metadata["turns"]]
        data = json.dumps(
            metadata | {"sessionId": name, "globalRange": [first + 1, first + TURNS], "turns": turns}
        ).encode()
        if place:
            (sessions / name).mkdir()
            for path in (sessions / "session-001").glob("turn-*.md"):
                os.link(path, sessions / name / path.name)
            (sessions / name / "metadata.json").write_bytes(data)
        digest = hashlib.sha256((sessions / name / "metadata.json").read_bytes()).hexdigest()
        entry = {"sessionId": name, "globalRange": [first + 1, first + TURNS], "metadataSha256": digest}
        entries.append(manifest["recentSessions"][0] | entry)
    manifest["recentSessions"] = entries
    manifest["turnWatermark"]["lastSessionEndTurn"] = SESSIONS * TURNS
    (workspace.context / "manifest.json").write_text(json.dumps(manifest))
    points = [{"timestamp": "2026-03-05T10:00:00Z", "trigger": "periodic", "summary": "x" * 200}] * 3_000
    brain = workspace.root / ".brain"
    brain.mkdir()
    state = {"summary": {"project": "shop", "current_feature": "shop"}, "context_checkpoints": points}
    (brain / "session.json").write_text(json.dumps(state))
    return workspace.root


def cpu_ms(*arguments, folder):
    """Return the least CPU time of a few runs, and the wall time that went with them."""
    measured = []
    for _ in range(5):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([PROGRAM, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        measured.append((cpu * 1_000, wall * 1_000))
    return min(measured)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("arguments", "limit"),
    [(["recap"], 100), (["recap", "--inject"], 100), (["recap", "full"], 300), (["recap", "deep"], 500)],
    ids=lambda one: " ".join(one) if isinstance(one, list) else str(one),
)
def test_spec_4_whole_process_times_over_100_000_turns(large, arguments, limit):
    cpu, wall = cpu_ms(*arguments, folder=large)

    assert cpu < limit, f"{cpu:.0f} ms of CPU, {wall:.0f} ms of wall time"


@pytest.mark.soak
def test_spec_4_level_1_of_an_archive_without_a_work_state(large):
    state = large / ".brain/session.json"
    aside = state.rename(state.with_name("aside"))
    try:
        cpu, wall = cpu_ms("recap", folder=large)
    finally:
        aside.rename(state)

    assert cpu < 100, f"{cpu:.0f} ms of CPU, {wall:.0f} ms of wall time"
