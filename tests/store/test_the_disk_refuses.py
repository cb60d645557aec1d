"""A full disk, a read-only folder, no permission: a clear error, nothing lost (SPEC 1.10)."""

import os
import subprocess
from contextlib import contextmanager

import pytest

from awf_archive.errors import DiskError

IS_ROOT = os.name == "posix" and os.geteuid() == 0


@contextmanager
def _mounted(folder, *options):
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["mount", *options, str(folder)], capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def small_disk(tmp_path):
    """A disk of one megabyte."""
    if not IS_ROOT:
        pytest.skip("only root may mount a small disk")
    with _mounted(tmp_path / "small", "-t", "tmpfs", "-o", "size=1m", "tmpfs") as folder:
        yield folder


def _texts(workspace):
    return [(number, user) for number, user, *_ in workspace.turns()]


def test_a_full_disk_loses_nothing_and_the_next_run_saves_all(small_disk, workspace_class, talk):
    workspace = workspace_class(small_disk / "workspace")
    workspace.save(talk.asks(2))
    before = _texts(workspace)
    for _ in range(20):
        talk.ask(f"question {talk.clock}", "x" * 100_000)

    with pytest.raises(DiskError) as failed:
        workspace.save(talk)

    assert "No space left" in failed.value.message
    assert "Free some space" in failed.value.hint
    assert _texts(workspace) == before
    assert [path for path in small_disk.rglob("*") if path.name.startswith((".tmp-", "lock"))] == []
    subprocess.run(["mount", "-o", "remount,size=20m", str(small_disk)], check=True)
    assert workspace.save(talk).saved == 20


@pytest.mark.parametrize("extend", [True, False], ids=["autosave", "by hand"])
def test_wherever_the_disk_is_full_the_archive_reads_as_before(small_disk, workspace_class, talk, extend):
    """Fills the disk up to a different rest each time, so that the error falls on each file in turn."""
    workspace = workspace_class(small_disk / "workspace")
    workspace.save(talk.asks(3))
    before = _texts(workspace)
    talk.asks(3).write()
    free = os.statvfs(small_disk)
    filler = small_disk / "filler"
    failed = 0
    for rest in range(20):
        filler.write_bytes(b"\0" * (free.f_bavail - rest) * free.f_frsize)
        try:
            workspace.save(talk, extend=extend)
        except DiskError:
            failed += 1
            assert _texts(workspace) == before
        else:
            break
        finally:
            filler.unlink()
    assert failed > 3
    workspace.save(talk, extend=extend)
    assert [number for number, _ in _texts(workspace)] == list(range(1, 7))


@pytest.fixture
def read_only(tmp_path, workspace_class, talk):
    """A workspace that was saved into and has become read-only since."""
    if not IS_ROOT:
        workspace = workspace_class(tmp_path / "workspace")
        workspace.save(talk.asks(2))
        folders = [path for path in workspace.root.rglob("*") if path.is_dir()]
        for folder in folders:
            folder.chmod(0o555)
        yield workspace
        for folder in folders:
            folder.chmod(0o755)
        return
    root = tmp_path / "read-only"
    with _mounted(root, "-t", "tmpfs", "tmpfs"):
        workspace = workspace_class(root / "workspace")
        workspace.save(talk.asks(2))
        subprocess.run(["mount", "-o", "remount,ro", str(root)], check=True)
        yield workspace


def test_a_read_only_folder_is_an_error_that_says_so(read_only, talk):
    with pytest.raises(DiskError) as failed:
        read_only.save(talk.asks(1))

    assert "Check who owns the folder" in failed.value.hint
    assert len(read_only.turns()) == 2
