"""Reported failures of other tools' formats (../shared/cases C, D, E, F, G), through `import` and `search`."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.shared

#           read, new, empty, failed, turns
COUNTS = {
    "C01-codex-two-streams/input.jsonl": (1, 1, 0, 0, 2),
    "C02-codex-vocabulary-drift/input.jsonl": (1, 1, 0, 0, 1),
    "C02-codex-vocabulary-drift/v0151.input.jsonl": (1, 1, 0, 0, 1),
    "C02-codex-vocabulary-drift/v0153.input.jsonl": (1, 1, 0, 0, 1),
    "C02-codex-vocabulary-drift/future.input.jsonl": (1, 0, 0, 1, 0),
    "C05-codex-places-and-headers/input.jsonl": (1, 1, 0, 0, 1),
    "D01-gemini-generations/input.jsonl": (1, 1, 0, 0, 3),
    "D01-gemini-generations/legacy.input.json": (1, 1, 0, 0, 1),
    "D01-gemini-generations/snapshot.input.jsonl": (1, 1, 0, 0, 1),
    "E01-chatgpt-tree/input.json": (4, 3, 1, 0, 6),
    "E01-chatgpt-tree/single-object.input.json": (1, 1, 0, 0, 4),
    "F01-claude-ai-export/input.json": (2, 1, 1, 0, 2),
    "G01-cursor/input.jsonl": (1, 1, 0, 0, 1),
    "G01-cursor/legacy.input.txt": (1, 1, 0, 0, 1),
    "G03-aider/input.md": (2, 2, 0, 0, 2),
    "B19-session-without-turns/input.jsonl": (1, 0, 1, 0, 0),
    "B19-session-without-turns/empty.input.jsonl": (1, 0, 1, 0, 0),
    "B21-wrong-format-detection/input.jsonl": (1, 0, 0, 1, 0),
    "B21-wrong-format-detection/generic.input.json": (1, 0, 0, 1, 0),
    "B21-wrong-format-detection/notes.input.md": (1, 0, 0, 1, 0),
}
"""Turns, not messages: a prompt and all that follows it until the next one."""

FOUND = {
    "C01-codex-two-streams/input.jsonl": ["Tôi xem mã trước", "Đã sửa rồi"],
    "D01-gemini-generations/input.jsonl": ["TOOL-RESULT-TEXT"],
    "E01-chatgpt-tree/input.json": ["KHẨU-HIỆU-CŨ", "NHÁNH-SỬA-CŨ"],
    "F01-claude-ai-export/input.json": ["VĂN-BẢN-DÁN", "NỘI-DUNG-ARTIFACT"],
    "G03-aider/input.md": ["thêm thử lại cho webhook"],
}
"""What must be archived and searchable."""

TITLES = {
    "C01-codex-two-streams/input.jsonl": "sửa lỗi phân trang",
    "D01-gemini-generations/input.jsonl": "Tìm rò rỉ",
    "E01-chatgpt-tree/single-object.input.json": "Khẩu hiệu: A/B #1",
}


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch):
    monkeypatch.setattr("os.fsync", lambda _descriptor: None)


@pytest.fixture
def bring(awf, shared):
    return lambda case: awf("import", shared / "cases" / case, "--json")


@pytest.mark.parametrize("case", COUNTS)
def test_the_numbers_add_up_and_only_what_is_not_understood_fails(bring, case):
    answer = bring(case)

    totals = answer.json["totals"]
    assert tuple(totals[name] for name in ("read", "new", "empty", "failed", "turns")) == COUNTS[case]
    assert answer.code == (3 if totals["failed"] else 0)
    assert len(answer.json["failures"]) == totals["failed"]


@pytest.mark.parametrize("case", FOUND)
def test_what_the_case_names_is_archived_and_found(bring, awf, case):
    bring(case)

    for words in FOUND[case]:
        assert awf("search", f'"{words}"', "--json").json["total"] > 0, words


@pytest.mark.parametrize("case", TITLES)
def test_a_title_is_never_what_was_injected(bring, case):
    assert [one["title"] for one in bring(case).json["results"]] == [TITLES[case]]


def test_c02_a_newer_vocabulary_is_loud_and_says_what_to_do(bring):
    (failure,) = bring("C02-codex-vocabulary-drift/future.input.jsonl").json["failures"]

    assert "not understood (2 records of unknown kinds)" in failure["message"]


def test_c01_the_same_words_said_twice_are_two_turns(bring, workspace):
    bring("C01-codex-two-streams/input.jsonl")

    assert [user for _, user, *_ in workspace.turns("demo")] == ["sửa lỗi phân trang"] * 2


@pytest.mark.parametrize(
    ("case", "feature", "left"),
    [
        pytest.param(
            "E01-chatgpt-tree/input.json", "chatgpt", {"KHẨU-HIỆU-CŨ", "NHÁNH-SỬA-CŨ"}, id="chatgpt"
        ),
        pytest.param("D01-gemini-generations/input.jsonl", "gemini-cli", set(), id="gemini"),
    ],
)
def test_branches_that_were_left_are_kept_and_marked(bring, workspace, case, feature, left):
    bring(case)

    turns = workspace.turns(feature)
    abandoned = [user + assistant for _, user, assistant, branch in turns if branch == "abandoned"]
    assert len(abandoned) == max(len(left), 1)
    assert all(any(word in text for text in abandoned) for word in left)


def test_g01_cursors_database_is_read_and_never_written_to(awf, shared, tmp_path, workspace):
    database = tmp_path / "state.vscdb"
    make = [sys.executable, str(shared / "cases/G01-cursor/make_vscdb.py"), str(database)]
    subprocess.run(make, check=True, capture_output=True)
    before = database.read_bytes()

    answer = awf("import", database, "--json")

    assert (answer.code, answer.json["totals"]["new"]) == (0, 2)
    assert database.read_bytes() == before
    assert sorted(one.name for one in tmp_path.glob("state.vscdb*")) == ["state.vscdb"]
    assert sum(one["savedTurns"] for one in answer.json["results"]) == sum(
        len(workspace.turns(name)) for name in workspace.archive.features()
    )


def test_g03_a_run_that_is_appended_is_all_that_is_new(awf, shared, tmp_path, workspace):
    path = tmp_path / ".aider.chat.history.md"
    path.write_bytes((shared / "cases/G03-aider/input.md").read_bytes())
    awf("import", path)
    before = len(workspace.turns("aider")) + len(workspace.turns(tmp_path.name))
    with path.open("a", encoding="utf-8") as file:
        file.write("\n# aider chat started at 2026-03-09 10:00:00\n\n#### một việc nữa  \n\nXong.\n")

    answer = awf("import", path, "--json")

    assert [one["savedTurns"] for one in answer.json["results"]] == [1]
    assert sum(len(workspace.turns(name)) for name in workspace.archive.features()) == before + 1
