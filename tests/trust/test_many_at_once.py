"""Ten real processes at once, and a checkpoint while everything else runs (issue 4 point 4)."""

import json
import os
import socket
import time

import pytest

from awf_archive.errors import LockedError
from awf_archive.services.checkpoint import Request, checkpoint
from awf_archive.store import lock as lock_module
from awf_archive.store.lock import holding

TEN = 10


def _window(number):
    return f"0000aaaa-1111-4111-8111-{number:012d}"


def _finish(processes):
    """Wait for all; return what each printed."""
    answers = []
    for process in processes:
        out, error = process.communicate(timeout=300)
        assert process.returncode == 0, f"{process.args[3:]}: {out} {error}"
        answers.append(out)
    return answers


def _rounds(safe, talk_class, program, tmp_path, rounds):
    """Save ten windows at once, then one window ten times at once, then five of each; and so on."""
    talks = [talk_class(tmp_path / f"transcripts/{number}.jsonl", _window(number)) for number in range(TEN)]
    saved = 0
    for number in range(rounds):
        chosen = [talks, [talks[0]] * TEN, [*talks[:5], *[talks[9]] * 5]][number % 3]
        for talk in {talk.window: talk for talk in chosen}.values():
            talk.asks(2, f"{talk.window} round {number}:").write()
            saved += 2
        options = ["--auto"] if number % 2 else []
        answers = _finish(
            program(
                safe.workspace.root,
                *("checkpoint", "--transcript", talk.path, "--feature", "login", "--json", *options),
            )
            for talk in chosen
        )
        assert sum(json.loads(answer)["savedTurns"] for answer in answers) == 2 * len(
            {one.window for one in chosen}
        )
        turns = safe.workspace.turns()
        assert [turn for turn, *_ in turns] == list(range(1, saved + 1))
        assert len({user for _, user, *_ in turns}) == saved
    report = safe.report()
    assert [one for one in report.findings if "is due" not in one.message] == []
    assert safe.left_behind() == []
    return saved, report.proven


def test_ten_processes_at_once_lose_and_repeat_no_number(safe, talk_class, program, tmp_path, figures):
    saved, proven = _rounds(safe, talk_class, program, tmp_path, 3)

    figures(f"30 processes in 3 rounds: {saved} turns, {proven.from_vault} proven from {proven.bytes} bytes")


@pytest.mark.soak
def test_ten_processes_at_once_twenty_times(safe, talk_class, program, tmp_path, figures):
    saved, proven = _rounds(safe, talk_class, program, tmp_path, 20)

    figures(
        f"200 processes in 20 rounds: {saved} turns, {proven.from_vault} proven from {proven.bytes} bytes"
    )


def _at_work(safe, talk_class, program, tmp_path, *others):
    """Checkpoint again and again while other commands run; return how often."""
    talk = talk_class(tmp_path / "transcripts/talk.jsonl", _window(1))
    history = [talk_class(tmp_path / f"history/{one}.jsonl", _window(100 + one)) for one in range(12)]
    for one in history:
        one.asks(3, f"history of {one.window}").write()
    safe.save(talk.asks(6, "first"))
    root = safe.workspace.root
    processes = [program(root, *arguments) for arguments in others]
    count = 0
    while count < 2 or any(process.poll() is None for process in processes):
        count += 1
        _finish(
            [
                program(
                    root,
                    "checkpoint",
                    "--transcript",
                    talk.asks(1, "meanwhile").write(),
                    "--feature",
                    "login",
                )
            ]
        )
    _finish(processes)
    assert [one for one in safe.findings() if "is due" not in one[2]] == []
    assert safe.left_behind() == []
    assert len(safe.workspace.turns()) >= 6 + count
    return count


def test_checkpoints_work_while_import_site_verify_and_search_run(
    safe, talk_class, program, tmp_path, figures
):
    count = _at_work(
        safe,
        talk_class,
        program,
        tmp_path,
        ("import", tmp_path / "history", "--into", safe.workspace.root),
        ("verify",),
        ("search", "first"),
        ("site", "build"),
    )

    figures(f"{count} checkpoints while import, verify, search and site build ran")


def test_who_waits_too_long_is_told_for_whom(safe, talk, monkeypatch):
    monkeypatch.setattr(lock_module, "WAIT", 0.05)
    monkeypatch.setattr(holding.__wrapped__, "__defaults__", (0.05,))
    path = safe.workspace.layout.lock
    claim = {"token": "theirs", "host": "build-7", "pid": 4711, "since": "2026-03-05T10:00:00Z"}
    path.write_text(json.dumps(claim))

    with pytest.raises(LockedError) as refused:
        safe.save(talk.asks(1))

    assert "process 4711 on build-7 (since 2026-03-05T10:00:00Z)" in refused.value.message
    assert refused.value.exit_code == 4
    assert safe.workspace.turns() == []


def test_a_lock_names_host_process_start_and_place(tmp_path):
    with holding(tmp_path / "lock"):
        claim = json.loads((tmp_path / "lock").read_bytes())

    assert (claim["host"], claim["pid"]) == (socket.gethostname(), os.getpid())
    assert time.strptime(claim["since"], "%Y-%m-%dT%H:%M:%SZ")
    assert claim["where"] or os.name != "posix"


def test_the_same_process_number_in_another_container_is_not_taken_for_dead(tmp_path):
    path = tmp_path / "lock"
    path.write_text(
        json.dumps(
            {"token": "theirs", "host": socket.gethostname(), "pid": 2**22 + 1, "where": "another boot"}
        )
    )

    with pytest.raises(LockedError), holding(path, wait=0.1):
        pass


def test_an_old_heartbeat_is_taken_over_from_another_host_too_and_the_holder_notices(safe, talk, monkeypatch):
    """A holder that was stopped comes back after its lock was taken over: it must not commit."""
    real = lock_module.Lock.check

    def taken_over_first(self):
        theirs = {"token": "theirs", "host": "elsewhere", "pid": 1}
        safe.workspace.layout.lock.write_text(json.dumps(theirs))
        real(self)

    with monkeypatch.context() as patch:
        patch.setattr(lock_module.Lock, "check", taken_over_first)
        with pytest.raises(LockedError, match="taken over by process 1 on elsewhere"):
            safe.save(talk.asks(2))
    assert safe.workspace.archive.features() == []

    old = time.time() - lock_module.STALE - 1
    os.utime(safe.workspace.layout.lock, (old, old))
    checkpoint(
        safe.workspace.layout,
        Request(transcript=talk.path, now="2026-03-05T10:00:00Z", feature="login", vaults=safe.vaults),
    )
    assert len(safe.workspace.turns()) == 2
    assert safe.findings() == []
