"""What an import remembers: features of folders, and when a file is as it was (case B16)."""

import os
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awf_archive.domain.features import check_feature
from awf_archive.services.import_state import ImportState, mark_of

FOLDERS = st.lists(
    st.lists(st.sampled_from(["app", "App", "外主", "个人", "spec", "rl", "..", "con", "a b", "x" * 90, "1", "☃"])
             | st.text(string.printable + "đ用户", max_size=6), max_size=4),
    max_size=8,
)  # fmt: skip


@given(FOLDERS, st.sets(st.sampled_from(["app", "spec-rl", "general"])))
def test_two_folders_never_share_a_feature(tmp_path_factory, folders, others):
    state = ImportState(path=tmp_path_factory.getbasetemp() / "none.json")
    paths = {"/" + "/".join(parts) for parts in folders}

    names = {path: state.feature_of(path, others) for path in sorted(paths)}

    folded = [name.casefold() for name in names.values()]
    assert len(folded) == len(set(folded))
    assert not {*folded} & others
    for path, name in names.items():
        assert check_feature(name) == name
        assert state.feature_of(path) == name


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        pytest.param("/srv/dev/shop", "shop", id="its own name"),
        pytest.param("C:\\Users\\Minh\\dự án", "dự-án", id="of Windows, in Vietnamese"),
        pytest.param("/srv/.worktrees/1", "worktrees-1", id="a name that says too little"),
        pytest.param("/srv/con", "srv-con", id="a device of Windows"),
        pytest.param("/", "general", id="no name at all"),
    ],
)
def test_a_feature_is_named_after_the_folder(tmp_path, folder, name):
    assert ImportState(path=tmp_path / "x").feature_of(folder) == name


def test_what_was_remembered_comes_back(tmp_path):
    state = ImportState(path=tmp_path / "imports.json")
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"{}")
    state.remember(file, mark_of(file), {"conversations": 1, "empty": False, "manifests": []})
    state.feature_of("/srv/shop")
    state.save()

    again = ImportState.load(state.path)

    assert again.unchanged(file) == state.files[str(file)]
    assert again.features == {"/srv/shop": "shop"}


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{broken", b'{"version": 99, "files": {}, "features": {}}', b'{"version": 1}', b'{"version": 1, "files": 3, "features": []}'],
    ids=["nothing", "a list", "broken", "another version", "keys missing", "wrong types"],
)  # fmt: skip
def test_a_damaged_state_is_as_none(tmp_path, data):
    path = tmp_path / "imports.json"
    path.write_bytes(data)

    state = ImportState.load(path)

    assert (state.files, state.features) == ({}, {})


def test_a_file_is_changed_when_its_folder_or_its_database_log_is(tmp_path):
    file, database = tmp_path / "a.jsonl", tmp_path / "state.vscdb"
    for path in (file, database):
        path.write_bytes(b"{}")
    marks = [mark_of(file)]

    (tmp_path / "a/subagents").mkdir(parents=True)
    (tmp_path / "a/subagents/agent-1.jsonl").write_bytes(b"{}")
    marks.append(mark_of(file))
    os.utime(tmp_path / "a/subagents/agent-1.jsonl", ns=(1, 1))
    marks.append(mark_of(file))
    before = mark_of(database)
    (tmp_path / "state.vscdb-wal").write_bytes(b"x")

    assert len(set(marks)) == 3
    assert mark_of(database) != before


def test_a_file_whose_archive_is_gone_is_read_again(tmp_path):
    state, file, manifest = ImportState(path=tmp_path / "i"), tmp_path / "a.jsonl", tmp_path / "manifest.json"
    file.write_bytes(b"{}")
    state.remember(file, mark_of(file), {"conversations": 1, "empty": False, "manifests": [str(manifest)]})

    gone = state.unchanged(file)
    manifest.write_bytes(b"{}")

    assert (gone, state.unchanged(file) is None) == (None, False)
