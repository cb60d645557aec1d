"""Real disks: one that is full, one that is read-only, folders without permission; with the vault on them."""

import os
import subprocess
from contextlib import contextmanager

import pytest

from awf_archive.errors import DiskError, InputError
from awf_archive.services.sources import opened
from awf_archive.store.lock import holding

IS_ROOT = os.name == "posix" and os.geteuid() == 0


@contextmanager
def _mounted(folder, size):
    if not IS_ROOT:
        pytest.skip("only root may mount a small disk")
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture(params=["workspace", "data"], ids=["archive", "vault"])
def small(request, safe, talk):
    """The archive, or the vault, on a disk of its own; the other where there is room."""
    with _mounted(safe.home / request.param, "2m"):
        (safe.home / "workspace/.awf-archive").mkdir(parents=True, exist_ok=True)
        safe.save(talk.asks(2))
        yield safe.home / request.param


def test_wherever_a_disk_becomes_full_nothing_is_lost(small, safe, talk, figures):
    """Fills the disk up to a different rest each time, so that the error falls on each file in turn."""
    before = safe.told()
    talk.ask("question", os.urandom(30_000).hex())  # bytes that do not compress well
    talk.write()
    failed = 0
    for rest in range(60):
        space = os.statvfs(small)
        filler = small / "filler"
        filler.write_bytes(b"\0" * max(0, space.f_bavail - rest) * space.f_frsize)
        try:
            safe.save(talk.path)
        except DiskError as problem:
            failed += 1
            assert "No space left" in problem.message  # noqa: PT017 - each rest must say the same
        else:
            break
        finally:
            filler.unlink()
        assert safe.told() == before
        assert safe.left_behind() == []

    figures(f"disk full at {failed} different rests ({small.name})")
    assert failed > 3
    assert [text for _, text, *_ in safe.workspace.turns()][-1] == "question"
    assert safe.findings() == []


def test_a_read_only_disk_says_so_and_can_be_verified(small, safe, talk):
    subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)

    with pytest.raises(DiskError) as refused:
        safe.save(talk.asks(1))

    assert "Check who owns the folder" in refused.value.hint
    assert [code for code, *_ in safe.findings()] in ([], ["unsaved"])
    subprocess.run(["mount", "-o", "remount,rw", str(small)], check=True)
    assert safe.save(talk.path).saved == 1
    assert safe.findings() == []


def test_a_file_beside_that_vanishes_between_looking_and_reading_leaves_all_as_it_was(
    safe, talk, monkeypatch
):
    safe.save(talk.asks(1))
    beside = talk.path.with_suffix("") / "tool-results/one.txt"
    beside.parent.mkdir(parents=True)
    beside.write_text("soon gone")
    talk.asks(1).write()
    before = safe.told()

    def vanish(path, *arguments):
        beside.unlink(missing_ok=True)
        return holding(path, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr("awf_archive.services.keep.holding", vanish)
        with pytest.raises(InputError, match=r"one\.txt"):
            safe.save(talk.path)

    assert safe.told() == before
    assert safe.left_behind() == []
    assert safe.save(talk.path).saved == 1
    assert safe.findings() == []


@pytest.mark.parametrize("how", ["shrinks", "is rewritten", "vanishes", "grows"])
def test_a_source_that_changes_while_it_is_read_is_saved_as_of_one_moment(
    safe, talk, talk_class, monkeypatch, how
):
    safe.save(talk.asks(2))
    talk.asks(2).write()

    def change(path, *arguments):
        if how == "vanishes":
            talk.path.unlink()
        elif how == "shrinks":
            talk.path.write_bytes(talk.path.read_bytes()[:700])
        elif how == "grows":
            talk.asks(1).write()
        else:
            talk_class(talk.path, talk.window).asks(3, "something else").write()
        monkeypatch.setattr("awf_archive.services.checkpoint.holding", holding)
        return holding(path, *arguments)

    monkeypatch.setattr("awf_archive.services.checkpoint.holding", change)

    assert safe.save(talk.path).saved == 2

    assert len(safe.workspace.turns()) == 4
    assert safe.findings() == []
    if how == "grows":
        assert safe.save(talk.path).saved == 1
        assert safe.findings() == []


def test_up_to_its_limit_a_source_is_one_moment_in_memory(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"before")

    with opened(path) as source:
        path.write_bytes(b"later!")

        assert source.read(0, 100) == b"before"
