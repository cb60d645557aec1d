"""One file of everything, proven both ways; a stranger's file does no harm (docs/trust.md)."""

import gzip
import io
import json
import os
import tarfile
from hashlib import sha256

import pytest

from awf_archive.errors import DamagedArchiveError, InputError, UsageError
from awf_archive.services import backup
from awf_archive.services.backup import back_up, unpack
from awf_archive.services.keep import existing_vault, workspace_vault
from awf_archive.services.verify import verify


@pytest.fixture
def vaults(tmp_path):
    return tmp_path / "data/vault"


@pytest.fixture
def written(workspace, talk, vaults, tmp_path):
    """A backup of an archive with a vault and a work state."""
    workspace.save(talk.asks(3), vaults=vaults)
    (workspace.root / ".brain").mkdir()
    (workspace.root / ".brain/session.json").write_text('{"summary": {}}')
    path = tmp_path / "everything.tar.gz"
    back_up(workspace.layout, existing_vault(workspace.layout, vaults), path)
    return path


@pytest.fixture
def empty(workspace_class, tmp_path):
    """A workspace on another machine."""
    return workspace_class(tmp_path / "other"), tmp_path / "other data/vault"


def _unpack(empty, path):
    workspace, vaults = empty
    return unpack(workspace.layout, workspace_vault(workspace.layout, vaults), path)


def _files(root):
    names = {
        path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }
    return {name: data for name, data in names.items() if not name.startswith(".awf-archive/")}


def test_a_backup_unpacked_elsewhere_is_the_same_archive_proven_from_the_same_bytes(
    workspace, written, empty
):
    done = _unpack(empty, written)

    other, other_vaults = empty
    assert _files(other.root) == _files(workspace.root)
    assert done.files == len(_files(workspace.root)) + 3
    report = verify(other.archive, existing_vault(other.layout, other_vaults), threshold=20)
    assert (report.findings, report.proven.from_vault) == ([], 3)


def test_unpacking_twice_changes_nothing(written, empty, snapshot):
    _unpack(empty, written)
    before = snapshot(empty[0].root / ".claude")

    _unpack(empty, written)

    assert snapshot(empty[0].root / ".claude") == before


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has these permissions")
def test_only_its_owner_can_read_it(written, empty):
    _unpack(empty, written)

    assert written.stat().st_mode & 0o777 == 0o600
    kept = [path for path in empty[1].rglob("*") if path.is_file()]
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}


def test_a_file_that_is_there_is_never_overwritten(written, empty, workspace):
    path = next(iter(workspace.turn_files()))
    target = empty[0].layout.archive / path
    target.parent.mkdir(parents=True)
    target.write_bytes(b"mine")

    with pytest.raises(UsageError, match="other bytes"):
        _unpack(empty, written)

    assert _files(empty[0].root) == {target.relative_to(empty[0].root).as_posix(): b"mine"}


def test_a_backup_is_not_written_over_another_file(workspace, vaults, written):
    before = written.read_bytes()

    with pytest.raises(UsageError, match="there already"):
        back_up(workspace.layout, existing_vault(workspace.layout, vaults), written)

    assert written.read_bytes() == before


def test_what_does_not_read_back_is_no_backup(workspace, vaults, written, monkeypatch):
    monkeypatch.setattr(backup, "_proven", lambda _path: {})
    target = written.with_name("second.tar.gz")

    with pytest.raises(DamagedArchiveError, match="does not read back"):
        back_up(workspace.layout, existing_vault(workspace.layout, vaults), target)

    assert sorted(path.name for path in written.parent.glob("*tar.gz*")) == [written.name]


@pytest.mark.parametrize("place", range(0, 100, 9))
def test_a_damaged_backup_is_refused_before_anything_is_written(written, empty, place):
    data = bytearray(written.read_bytes())
    data[20 + (len(data) - 28) * place // 100] ^= 0xFF
    written.write_bytes(data)

    with pytest.raises(InputError):
        _unpack(empty, written)

    assert _files(empty[0].root) == {}


@pytest.mark.parametrize("share", [0, 0.5, 0.99])
def test_a_backup_that_is_cut_off_is_refused(written, empty, share):
    written.write_bytes(written.read_bytes()[: int(written.stat().st_size * share)])

    with pytest.raises(InputError):
        _unpack(empty, written)

    assert _files(empty[0].root) == {}


def _made(path, members, listed=None):
    """Write a backup as a stranger would."""
    files = {name: [len(data), sha256(data).hexdigest()] for name, data, _ in members}
    with tarfile.open(path, "w:gz") as archive:
        for name, data, kind in [
            *members,
            ("contents.json", json.dumps({"files": listed or files}).encode(), None),
        ]:
            entry = tarfile.TarInfo(name)
            entry.size = 0 if kind else len(data)
            entry.type, entry.linkname = kind or tarfile.REGTYPE, "/etc" if kind else ""
            archive.addfile(entry, io.BytesIO(data))
    return path


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("archive/../../evil", None),
        ("/etc/evil", None),
        ("archive", None),
        ("elsewhere/x", None),
        ("archive/a\\..\\..\\evil", None),
        ("archive/C:/evil", None),
        ("archive/a\nb", None),
        ("archive/./x", None),
        ("archive/link", tarfile.SYMTYPE),
        ("archive/link", tarfile.LNKTYPE),
        ("archive/pipe", tarfile.FIFOTYPE),
        ("archive/device", tarfile.CHRTYPE),
        ("vault/workspace.json", None),
    ],
)
def test_a_strangers_backup_leads_nowhere_else(empty, tmp_path, name, kind):
    path = _made(tmp_path / "evil.tar.gz", [(name, b"evil", kind)])

    with pytest.raises(InputError, match="no backup of ours"):
        _unpack(empty, path)

    assert _files(empty[0].root) == {}


def test_a_name_that_comes_twice_is_refused(empty, tmp_path):
    path = _made(tmp_path / "evil.tar.gz", [("archive/x", b"one", None), ("archive/x", b"two", None)])

    with pytest.raises(InputError, match="twice"):
        _unpack(empty, path)


def test_a_list_that_lies_is_refused(empty, tmp_path):
    path = _made(tmp_path / "evil.tar.gz", [("archive/x", b"one", None)], {"archive/y": [3, "00"]})

    with pytest.raises(InputError, match="not those that it lists"):
        _unpack(empty, path)


def test_a_link_in_the_way_is_not_followed(empty, tmp_path):
    path = _made(tmp_path / "evil.tar.gz", [("archive/shop/x", b"evil", None)])
    outside = tmp_path / "outside"
    outside.mkdir()
    empty[0].layout.archive.mkdir(parents=True)
    (empty[0].layout.archive / "shop").symlink_to(outside)

    with pytest.raises(UsageError, match="a link leads elsewhere"):
        _unpack(empty, path)

    assert list(outside.iterdir()) == []


def test_what_unpacks_beyond_all_measure_is_refused(empty, tmp_path):
    """400 MB of zeros in a file of 400 KB: it is refused by its own words, before a block is read."""
    path = tmp_path / "bomb.tar.gz"
    entry = tarfile.TarInfo("archive/bomb")
    entry.size = 400 << 20
    with gzip.open(path, "wb") as file:
        file.write(entry.tobuf())
        file.write(b"\0" * 1024)

    with pytest.raises(InputError, match="far more"):
        _unpack(empty, path)


def test_links_and_passing_files_stay_out(workspace, talk, vaults, tmp_path):
    workspace.save(talk.asks(1), vaults=vaults)
    (workspace.context / "link").symlink_to("/etc/passwd")
    (workspace.context / ".tmp-0123456789ab-x").write_bytes(b"half")
    path = tmp_path / "everything.tar.gz"

    back_up(workspace.layout, existing_vault(workspace.layout, vaults), path)

    with tarfile.open(path) as archive:
        names = archive.getnames()
    assert [name for name in names if "link" in name or ".tmp-" in name or name.endswith("lock")] == []
    assert names[-1] == "contents.json"
