"""The source's own bytes: appended, chained, private, and never overwritten (docs/trust.md)."""

import json
import os
import random
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from awf_archive.domain.ids import WindowId
from awf_archive.errors import DamagedArchiveError, DiskError, InputError
from awf_archive.store import vault as vault_module
from awf_archive.store import vault_append
from awf_archive.store.vault import Vault, folder_name, moments, newest_files
from awf_archive.store.vault_append import append

WINDOW = WindowId("0000aaaa-1111-4111-8111-000000000001")


@dataclass
class Bytes:
    """A source in memory; `size` may promise more than there is."""

    data: bytes
    size: int = -1

    def __post_init__(self):
        self.size = len(self.data) if self.size < 0 else self.size

    def read(self, offset, length):
        return self.data[offset : offset + length]


class Vanished(Bytes):
    def read(self, _offset, _length):
        raise InputError("gone")


@pytest.fixture
def window(tmp_path):
    return Vault(root=tmp_path / "data/vault/w").window(WINDOW)


def _keep(window, **files):
    return append(window, {name.replace("main", ""): Bytes(data) for name, data in files.items()})


def _held(window):
    """The newest bytes of every file."""
    return {name: b"".join(window.read(kept)) for name, kept in newest_files(window.segments()).items()}


def test_what_is_kept_reads_back_byte_for_byte(window):
    data = bytes(range(256)) * 40

    assert _keep(window, main=data, agent=b"side") == len(data) + 4

    assert _held(window) == {"": data, "agent": b"side"}


def test_growth_writes_only_the_new_bytes(window):
    _keep(window, main=b"one\n")
    first = {path.name: path.read_bytes() for path in window.folder.glob("*.zst")}

    added = _keep(window, main=b"one\ntwo\n")

    assert added == 4
    assert [(one.offset, one.length) for one in window.segments()] == [(0, 4), (4, 4)]
    assert {name: (window.folder / name).read_bytes() for name in first} == first


def test_keeping_the_same_twice_writes_nothing(window, snapshot):
    _keep(window, main=b"one\n", agent=b"side")
    before = snapshot(window.folder)

    assert _keep(window, main=b"one\n", agent=b"side") == 0

    assert snapshot(window.folder) == before


def test_a_changed_beginning_starts_a_new_generation_and_overwrites_nothing(window):
    _keep(window, main=b"first version\n")

    _keep(window, main=b"other version\nmore\n")

    assert _held(window) == {"": b"other version\nmore\n"}
    assert [b"".join(window.read([one])) for one in window.segments()] == [
        b"first version\n",
        b"other version\nmore\n",
    ]


def test_a_source_that_was_cut_short_takes_nothing_away(window):
    _keep(window, main=b"one\ntwo\nthree\n")

    assert _keep(window, main=b"one\n") == 0

    assert _held(window) == {"": b"one\ntwo\nthree\n"}


def test_a_source_that_goes_on_otherwise_after_it_was_cut_is_a_new_generation(window):
    _keep(window, main=b"one\ntwo\nthree\n")

    _keep(window, main=b"one\nand now for something else\n")

    assert _held(window) == {"": b"one\nand now for something else\n"}
    assert len(list(moments(window.segments()))) == 2


def test_a_source_that_goes_back_and_forth_is_kept_once_each(window):
    for _ in range(3):
        _keep(window, main=b"a" * 100)
        _keep(window, main=b"b" * 100)

    assert len(window.segments()) == 2
    _keep(window, main=b"a" * 100 + b"more")
    assert _held(window) == {"": b"a" * 100 + b"more"}


def test_a_source_that_shrinks_while_it_is_read_keeps_what_was_there(window):
    append(window, {"": Bytes(b"short", size=1000)})

    assert _held(window) == {"": b"short"}


def test_a_file_that_vanishes_while_it_is_read_leaves_the_vault_as_it_was(window, snapshot):
    _keep(window, main=b"one\n")
    before = snapshot(window.folder)

    with pytest.raises(InputError):
        append(window, {"": Bytes(b"one\ntwo\n"), "agent": Vanished(b"xx")})

    assert snapshot(window.folder) == before


def test_equal_bytes_in_two_files_lie_on_disk_once(window):
    _keep(window, one=b"x" * 5000, two=b"x" * 5000)

    assert len(list(window.folder.glob("*.zst"))) == 1
    assert _held(window) == {"one": b"x" * 5000, "two": b"x" * 5000}


def test_long_sources_are_cut_into_segments_that_git_hosts_take(window, monkeypatch):
    monkeypatch.setattr(vault_append, "SEGMENT", 1000)
    data = random.Random(1).randbytes(3500)  # noqa: S311 - data that does not compress

    _keep(window, main=data)

    assert [one.length for one in window.segments()] == [1000, 1000, 1000, 500]
    assert _held(window) == {"": data}
    assert vault_module.SEGMENT < 50 * 1000 * 1000


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has these permissions")
def test_nobody_else_can_read_it_whatever_the_umask(tmp_path, window):
    old = os.umask(0)
    try:
        _keep(window, main=b"secret")
    finally:
        os.umask(old)

    made = [*(tmp_path / "data").rglob("*"), tmp_path / "data"]
    modes = {path.relative_to(tmp_path).as_posix(): path.stat().st_mode & 0o777 for path in made}
    assert {mode for name, mode in modes.items() if (tmp_path / name).is_dir()} == {0o700}
    assert {mode for name, mode in modes.items() if (tmp_path / name).is_file()} == {0o600}


def test_a_folder_that_was_there_before_keeps_its_permissions(tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)

    _keep(Vault(root=shared / "w").window(WINDOW), main=b"x")

    assert shared.stat().st_mode & 0o777 == 0o755


def test_a_line_that_a_crash_cut_is_as_if_it_were_not_there(window):
    _keep(window, main=b"one\n")
    with window.ledger.open("ab") as file:
        file.write(b'{"file": "", "gene')

    assert window.is_torn()
    assert _held(window) == {"": b"one\n"}
    _keep(window, main=b"one\ntwo\n")
    assert _held(window) == {"": b"one\ntwo\n"}
    assert not window.is_torn()


def test_a_segment_that_a_crash_left_gives_way_to_the_one_that_holds_its_bytes(window):
    _keep(window, main=b"one\n")
    _keep(window, main=b"one\ntwo\n")
    ledger = window.ledger.read_bytes()
    window.ledger.write_bytes(ledger[: ledger.index(b"\n") + 1])

    _keep(window, main=b"one\ntwo\nthree\n")

    assert _held(window) == {"": b"one\ntwo\nthree\n"}
    assert window.unnamed(window.segments()) == []
    assert not (window.folder / "set-aside").exists()


def test_a_segment_that_the_ledger_lost_and_the_source_no_longer_has_is_set_aside_not_lost(window):
    _keep(window, main=b"one\n")
    _keep(window, main=b"one\ntwo\n")
    ledger = window.ledger.read_bytes()
    lost = (window.folder / "000002.zst").read_bytes()
    window.ledger.write_bytes(ledger[: ledger.index(b"\n") + 1])

    _keep(window, main=b"one\nrewritten\n")

    assert [path.read_bytes() for path in (window.folder / "set-aside").iterdir()] == [lost]
    assert _held(window) == {"": b"one\nrewritten\n"}


def _damages():
    def drop_line(lines):
        return lines[1:]

    def swap(lines):
        return [lines[1], lines[0], *lines[2:]]

    def other_digest(lines):
        return [lines[0].replace(b'"length": 4', b'"length": 3'), *lines[1:]]

    def not_json(lines):
        return [b"rubbish", *lines[1:]]

    def outside(lines):
        return [lines[0].replace(b"000001.zst", b"../../etc/passwd"), *lines[1:]]

    def wrong_type(lines):
        return [lines[0].replace(b'"offset": 0', b'"offset": "0"'), *lines[1:]]

    return [drop_line, swap, other_digest, not_json, outside, wrong_type]


@pytest.mark.parametrize("damage", _damages(), ids=lambda one: one.__name__)
def test_a_ledger_that_was_tampered_with_is_noticed_and_nothing_is_added(window, damage, snapshot):
    for size in (1, 2, 3):
        _keep(window, main=b"line" * size)
    window.ledger.write_bytes(b"\n".join(damage(window.ledger.read_bytes().split(b"\n"))))
    before = snapshot(window.folder)

    with pytest.raises(DamagedArchiveError, match="chain of the vault is broken"):
        _keep(window, main=b"line" * 4)

    assert snapshot(window.folder) == before


@pytest.mark.parametrize("how", ["flipped", "cut", "gone", "bomb"])
def test_a_damaged_segment_is_never_given_as_whole(window, how):
    import zstandard

    _keep(window, main=b"line\n" * 100)
    path = window.folder / "000001.zst"
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    changed = {
        "flipped": bytes(data),
        "cut": path.read_bytes()[:-4],
        "bomb": zstandard.compress(b"\0" * (vault_module.SEGMENT + 1)),
    }
    path.write_bytes(changed[how]) if how in changed else path.unlink()

    with pytest.raises(DamagedArchiveError, match=r"000001\.zst"):
        list(window.read(window.segments()))


def test_a_full_disk_leaves_the_vault_as_it_was(window, monkeypatch, snapshot):
    _keep(window, main=b"one\n")
    before = snapshot(window.folder)

    def full(*_arguments, **_options):
        raise OSError(28, "No space left on device")

    for place in ("fsync", "open", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, place, full)
            with pytest.raises(DiskError, match="No space left"):
                _keep(window, main=b"one\ntwo\n", agent=b"side")
        assert snapshot(window.folder) == before


@pytest.mark.parametrize(
    "name", ["..", "../../x", "/etc/passwd", "con", "A", "a", "e\u0301", "é", "x" * 5000, "\0", "\ud800", ""]
)
def test_every_window_has_a_safe_folder_of_its_own(name):
    folder = folder_name(WindowId(name))

    assert Path(folder).name == folder
    assert folder.isascii()
    assert len(folder) <= 60
    others = ["..", "../../x", "/etc/passwd", "con", "A", "a", "e\u0301", "é", "x" * 5000, "\0", "\ud800", ""]
    assert [one for one in others if folder_name(WindowId(one)).casefold() == folder.casefold()] == [name]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.sampled_from(["append", "rewrite", "cut"]), st.binary(min_size=1, max_size=30)),
        min_size=1,
        max_size=8,
    )
)
def test_whatever_a_source_does_everything_it_ever_held_is_still_there(tmp_path_factory, steps):
    window = Vault(root=tmp_path_factory.mktemp("vault")).window(WINDOW)
    data, seen = b"", []
    for what, more in steps:
        data = {"append": data + more, "rewrite": more, "cut": data[: len(data) // 2]}[what]
        append(window, {"": Bytes(data)})
        seen.append(data)

    kept = [b"".join(window.read(newest_files(moment).get("", []))) for moment in moments(window.segments())]
    assert [one for one in seen if one and not any(held.startswith(one) for held in kept)] == []
    for line in window.ledger.read_bytes().splitlines() if seen[-1] or kept else []:
        assert set(json.loads(line)) >= {"offset", "length", "sha256", "previous"}
