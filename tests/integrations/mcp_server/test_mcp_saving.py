import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from mcp.types import Implementation

SAMPLE = Path(__file__).resolve().parents[3] / (
    "samples/claude-code/-home-linh-shop/5d0c7a52-3f0e-4b7e-9a41-2c6f8e1b7d90.jsonl"
)


@pytest.fixture
def here(workspace, tmp_path):
    """A workspace and a home of its own."""
    return workspace, tmp_path / "home"


@pytest.mark.shared
def test_a_real_conversation_is_saved_once_however_often_it_is_asked(here, shared, put_transcript, connect):
    workspace, home = here
    put_transcript(shared / "corpus/claude-code/34-v2.1.121-27prompts.jsonl", workspace.root, home)
    with connect(workspace.root, home) as asker:
        plan = asker.call("checkpoint", feature="work", dryRun=True)
        at_first = workspace.turns("work")
        first = asker.call("checkpoint", feature="work")
        files = workspace.turn_files()
        again = asker.calls(*[("checkpoint", {})] * 3)

    assert (plan.value["savedTurns"], plan.value["dryRun"], at_first) == (24, True, [])
    assert first.value["savedTurns"] == 24
    assert (first.value["feature"], first.value["turns"]) == ("work", "1-24")
    assert "work#1-24" in first.text
    assert [one.value["savedTurns"] for one in again] == [0, 0, 0]
    assert workspace.turn_files() == files
    assert [number for number, *_ in workspace.turns("work")] == list(range(1, 25))


def test_two_servers_that_save_at_once_double_nothing_and_read_meanwhile(here, put_transcript, connect):
    workspace, home = here
    put_transcript(SAMPLE, workspace.root, home)
    reads = [
        *(("search", {"query": query}) for query in ("callback", "ha tang", "回调", "celery")),
        ("get_turns", {"place": "f#1-15"}),
        ("list_sessions", {}),
    ]
    with connect(workspace.root, home) as one, connect(workspace.root, home) as other:
        saved = at_once([one, other], [("checkpoint", {"feature": "f"})] * 2)
        read = at_once([one, other], [*reads, ("checkpoint", {}), *reads])

    assert sorted(answer.value["savedTurns"] for answer in saved) == [0, 0, 0, 15]
    assert [number for number, *_ in workspace.turns("f")] == list(range(1, 16))
    assert not any(answer.is_error for answer in read)
    first, second = (
        [answer.value["hits"][0]["cite"] for answer in read[start : start + 4]]
        for start in (0, len(reads) + 1)
    )
    assert first == second


def at_once(askers, calls):
    """Make the same calls on several connections at the same time; return the answers, connection by connection."""
    with ThreadPoolExecutor(len(askers)) as pool:
        return [one for answers in pool.map(lambda asker: asker.calls(*calls), askers) for one in answers]


def test_a_save_tells_of_secrets_and_our_own_tool_is_no_work(here, talk, connect):
    workspace, home = here
    talk.cwd = str(workspace.root)
    talk.path = home / "claude/projects/-x" / f"{talk.window}.jsonl"
    talk.ask("the password: hunter2hunter2 is for xylophones")
    talk.user("save")
    talk.call("mcp__awf-archive__checkpoint", {}, "Saved 1 turns")
    talk.write()
    with connect(workspace.root, home) as asker:
        saved = asker.call("checkpoint", conversation=talk.window)
        found = asker.call("search", query="xylophones")

    assert (saved.value["savedTurns"], saved.value["skippedTurns"]) == (1, 1)
    assert "password" in saved.text
    assert found.value["hits"][0]["cite"] == "general#1"
    assert not any("hunter2" in one.text for one in (saved, found))


@pytest.mark.shared
def test_codex_gets_its_own_conversation_saved(here, shared, put_transcript, connect):
    workspace, home = here
    put_transcript(SAMPLE, workspace.root, home)
    source = shared / "corpus/codex/07-v0.142.4.jsonl"
    lines = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    for one in lines:
        if one.get("type") in {"session_meta", "turn_context"}:
            one["payload"]["cwd"] = str(workspace.root)
    path = home / "codex/sessions/2026/03/02/rollout-2026-03-02T09-00-00-c0de.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    codex = Implementation(name="codex-mcp-client", version="1")
    with connect(workspace.root, home, client_info=codex) as asker:
        saved = asker.call("checkpoint", feature="f")

    assert saved.value["savedTurns"] > 0
    workspace.feature = "f"
    assert workspace.metadata("session-001")["source"]["format"] == "codex"


def server(root, home):
    environment = {**os.environ, "HOME": str(home), "CLAUDE_CONFIG_DIR": str(home / "claude")}
    command = [sys.executable, "-m", "awf_archive", "mcp", "--workspace", str(root)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment)


def line(method, number=None, **params):
    request = {"jsonrpc": "2.0", "method": method, "params": params}
    return (json.dumps(request | ({"id": number} if number else {})) + "\n").encode()


HELLO = line(
    "initialize",
    1,
    protocolVersion="2025-06-18",
    capabilities={},
    clientInfo={"name": "by-hand", "version": "0"},
)


def test_stdout_holds_nothing_but_the_protocol_and_it_ends_with_its_client(here):
    workspace, home = here
    process = server(workspace.root, home)
    search = line("tools/call", 2, name="search", arguments={"query": "x"})
    process.stdin.write(HELLO + line("notifications/initialized") + b"not json\n" + search)
    process.stdin.flush()
    messages = []
    while not any(one.get("id") == 2 for one in messages):
        messages.append(json.loads(process.stdout.readline()))
    out, err = process.communicate(timeout=60)

    assert {one["jsonrpc"] for one in messages} == {"2.0"}
    assert out == b""
    assert process.returncode == 0
    assert b"Traceback" not in err


def test_an_interrupt_ends_it_quietly(here):
    workspace, home = here
    process = server(workspace.root, home)
    process.stdin.write(HELLO)
    process.stdin.flush()
    process.stdout.readline()

    process.send_signal(signal.SIGINT)

    assert process.wait(timeout=30) == -signal.SIGINT
    assert b"Traceback" not in process.stderr.read()
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


def test_a_client_that_is_gone_leaves_no_process_and_no_traceback(here):
    workspace, home = here
    process = server(workspace.root, home)
    process.stdin.write(HELLO)
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()

    process.stdin.write(line("notifications/initialized") + line("tools/list", 2) * 3)
    process.stdin.close()

    assert process.wait(timeout=30) == 0
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
