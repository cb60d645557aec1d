import importlib.util
import json
import sys

import pytest

PROMPTS = (
    "Chào Claude! Mình đang làm lại phần callback thanh toán",
    "小雨 bên Order service vừa nhắn mình thế này",
    "ok vay khoa idempotency nen luu o dau?",
    "Good. Write a plan first",
    "[Image #1] dashboard tối qua nè",
    "viết test đi nhé",
    "nhớ ghi log cả số lần retry nữa nha",
    "Linh 去开会了，我是小雨",
    "thêm luôn Celery",
    "thôi khỏi Celery",
    "/review-diff shop/payments",
    "chay full test voi lint di roi commit nha",
    "git show --stat --oneline HEAD",
    "soạn giúp mình tin nhắn ngắn gửi 小雨",
    "tuyệt vời 🎉 mai làm tiếp",
)


@pytest.fixture
def turns(archived):
    workspace, _, _ = archived
    folder = (
        workspace / ".claude/spec-workflow/specs/payment-retry/.context/conversations/sessions/session-001"
    )
    return [path.read_text(encoding="utf-8") for path in sorted(folder.glob("turn-*.md"))]


def test_the_sample_is_what_its_story_makes(root, sample, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tools"))
    spec = importlib.util.spec_from_file_location("make_sample", root / "tools/make_sample.py")
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    monkeypatch.setattr(maker, "FOLDER", tmp_path / "claude-code")

    made = maker.write(maker.SETTING)

    files = {
        path.relative_to(made.parent): path.read_bytes() for path in made.parent.rglob("*") if path.is_file()
    }
    kept = {
        path.relative_to(sample.parent): path.read_bytes()
        for path in sample.parent.rglob("*")
        if path.is_file()
    }
    assert files == kept
    assert len(kept) == 3
    for name in ("sample_story", "sample_steps", "sample_files"):
        sys.modules.pop(name, None)


def test_every_record_of_the_sample_hangs_on_an_earlier_one(sample):
    seen = {None}
    for line in sample.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        assert record.get("parentUuid") in seen
        seen.add(record.get("uuid"))


def test_the_sample_is_saved_whole(archived, turns):
    _, result, _ = archived

    assert result["savedTurns"] == len(PROMPTS)
    assert result["globalRange"] == [1, len(PROMPTS)]
    assert result["problems"] == []
    assert [prompt for prompt, text in zip(PROMPTS, turns, strict=True) if prompt not in text] == []


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "/model"),
        (4, "Background jobs run on **APScheduler**"),
        (6, "AssertionError: assert 7 == 9"),
        (8, "指数退避"),
        (12, "124 passed in 18.32s"),
        (13, "5 files changed, 101 insertions(+)"),
    ],
)
def test_what_was_said_and_done_stands_in_its_turn(turns, number, text):
    assert text in turns[number - 1]


def test_the_pasted_picture_lies_beside_the_turns(archived):
    workspace, _, _ = archived
    pictures = list((workspace / ".claude").rglob("attachments/*.png"))

    assert [path.read_bytes()[:8] for path in pictures] == [b"\x89PNG\r\n\x1a\n"]


def test_what_linh_went_back_on_is_kept_and_marked(archived):
    workspace, _, _ = archived
    (path,) = (workspace / ".claude").rglob("session-001/metadata.json")
    turns = json.loads(path.read_text(encoding="utf-8"))["turns"]

    assert [turn["turn"] for turn in turns if turn.get("branch") == "abandoned"] == [9]


def test_what_linh_settled_is_kept_as_decisions(archived):
    workspace, _, _ = archived
    (path,) = (workspace / ".claude").rglob("decisions.json")
    decisions = json.loads(path.read_text(encoding="utf-8"))["decisions"]

    settled = [each for each in decisions if each["foundBy"] in {"question", "plan"}]
    assert [(each["foundBy"], each["turn"]) for each in settled] == [
        ("question", 3),
        ("question", 3),
        ("plan", 4),
    ]


def test_saving_the_sample_again_saves_nothing(archived, sample):
    _, _, run = archived

    again = run("checkpoint", "--transcript", str(sample), "--feature", "payment-retry", "--json")

    assert (again["savedTurns"], again["updatedTurns"], again["globalRange"]) == (0, 0, None)


@pytest.mark.parametrize(
    ("words", "turn"),
    [
        ("thoi khoi celery", 10),
        ("hạ tầng càng ít càng tốt", 10),
        ("指数退避", 8),
        ("missing tests review", 11),
    ],
)
def test_the_sample_is_found_in_each_language(archived, words, turn):
    _, _, run = archived

    hits = run("search", words, "--json")["hits"]

    assert turn in [hit["turn"] for hit in hits[:3]]
