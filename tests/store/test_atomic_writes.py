"""The old file or the new, never half, and no temporary left (SPEC 1.10)."""

import errno
import os

import pytest

from awf_archive.errors import DiskError
from awf_archive.store import atomic

STEPS = ("open", "write", "flush", "fsync", "replace", "sync_folder")


class _FailingFile:
    """A file whose write stops in the middle, or whose flush fails."""

    def __init__(self, file, step, failure):
        self._file, self._step, self._failure = file, step, failure

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()

    def write(self, data):
        if self._step == "write":
            self._file.write(data[: len(data) // 2])
            self._file.flush()
            raise self._failure
        self._file.write(data)

    def flush(self):
        if self._step == "flush":
            raise self._failure
        self._file.flush()


@pytest.fixture
def failing_at(monkeypatch):
    """Make one operation of the disk fail, once per test."""

    def fail(step, code=errno.ENOSPC):
        failure = OSError(code, os.strerror(code))

        def raises(*_arguments, **_options):
            raise failure

        if step in ("write", "flush"):
            real = os.fdopen
            monkeypatch.setattr(
                os, "fdopen", lambda *given, **options: _FailingFile(real(*given, **options), step, failure)
            )
        elif step == "replace":
            monkeypatch.setattr("pathlib.Path.replace", raises)
        elif step == "sync_folder":
            monkeypatch.setattr(atomic, "sync_folder", raises)
        else:
            monkeypatch.setattr(os, step, raises)

    return fail


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("exists", [True, False], ids=["over a file", "a new file"])
def test_when_any_step_fails_there_is_the_old_file_or_the_new(tmp_path, failing_at, step, exists):
    path = tmp_path / "manifest.json"
    if exists:
        atomic.write(path, b"the old content")
    failing_at(step)

    with pytest.raises(DiskError):
        atomic.write(path, b"the new content, longer than the old")

    left = path.read_bytes() if path.exists() else None
    allowed = [b"the old content" if exists else None]
    if step == "sync_folder":
        allowed = [b"the new content, longer than the old"]
    assert left in allowed
    assert [one.name for one in tmp_path.iterdir() if one != path] == []


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        (errno.ENOSPC, "Free some space"),
        (errno.EDQUOT, "Free some space"),
        (errno.EACCES, "Check who owns the folder"),
        (errno.EROFS, "Check who owns the folder"),
        (errno.EIO, "as it was before"),
    ],
)
def test_the_error_names_the_file_and_what_to_do(tmp_path, failing_at, code, advice):
    path = tmp_path / "manifest.json"
    failing_at("fsync", code)

    with pytest.raises(DiskError) as failed:
        atomic.write(path, b"x")

    assert str(path) in failed.value.message
    assert advice in failed.value.hint
    assert failed.value.exit_code == 5


def test_a_keyboard_interrupt_leaves_no_temporary_file(tmp_path, monkeypatch):
    def interrupt(_descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)

    with pytest.raises(KeyboardInterrupt):
        atomic.write(tmp_path / "a", b"x")

    assert list(tmp_path.iterdir()) == []


def test_the_bytes_are_synced_before_the_name_is_theirs(tmp_path, monkeypatch):
    order = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda descriptor: (order.append("sync"), fsync(descriptor)))
    monkeypatch.setattr(os, "replace", lambda *names: (order.append("rename"), replace(*names)))

    atomic.write(tmp_path / "a", b"x")

    assert order == ["sync", "rename", "sync"]


def test_a_folder_appears_whole_or_not_at_all(tmp_path):
    target = tmp_path / "sessions/session-001"

    with atomic.staging(target) as staged:
        atomic.write_new(staged.folder / "turn-001.md", b"x")
        assert not target.exists()

    assert [one.name for one in target.iterdir()] == ["turn-001.md"]
    assert [one.name for one in target.parent.iterdir()] == ["session-001"]


def test_a_folder_that_failed_leaves_nothing_not_even_its_parents(tmp_path):
    def stop_in_the_middle():
        with atomic.staging(tmp_path / "a/b/session-001") as staged:
            atomic.write_new(staged.folder / "turn-001.md", b"x")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stop_in_the_middle()

    assert list(tmp_path.iterdir()) == []


def test_two_writers_never_share_a_temporary_name(tmp_path):
    names = {atomic.temporary(tmp_path / "a") for _ in range(1000)}

    assert len(names) == 1000
