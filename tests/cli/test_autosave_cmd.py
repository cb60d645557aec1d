import json
import unicodedata

import pytest

from awf_archive.domain.wording.notices import NOTICE_WORDS


def test_spec_3_4_notices_in_three_languages(awf):
    for language, words in NOTICE_WORDS.items():
        assert awf("autosave", "message", "bye", "--lang", language).out == words.user_leaving + "\n"


def test_spec_3_4_notices_name_commands_as_the_place_knows_them(awf):
    answer = awf("autosave", "manual", "--emergency", "--lang", "vi", "--place", "awf")

    assert answer.out == "⚠️ Đã lưu khẩn cấp. Gõ /recap trong session mới để tiếp tục.\n"


def test_spec_3_4_periodic_and_decisions_are_silent(awf):
    answer = awf("autosave", "message", "ok", "--json")

    assert answer.json["trigger"] == "decision_made"
    assert awf("autosave", "message", "ok").out == ""


def test_workflow_end_saves(awf, workspace):
    assert awf("autosave", "workflow-end", "plan", "--lang", "en").out == (
        "💾 Progress saved. You can safely close the app.\n"
    )
    state = json.loads((workspace.root / ".brain/session.json").read_bytes())
    assert state["context_checkpoints"][0]["trigger"] == "workflow_end"


def test_a_workflow_of_another_name_is_wrong_usage(awf):
    assert awf("autosave", "workflow-end", "dance").code == 2


def test_reply_and_cleared_count(awf):
    awf("autosave", "message", "a", "--window", "w")
    assert awf("autosave", "reply", "b", "--window", "w", "--json").json["messageCount"] == 2
    awf("autosave", "cleared", "--window", "w")
    assert awf("autosave", "message", "c", "--window", "w", "--json").json["messageCount"] == 1


def test_spec_3_7_a_failure_is_told_and_logged(awf, workspace, monkeypatch):
    monkeypatch.setattr("awf_archive.services.autosave_disk.PAUSES", (0, 0, 0))
    (workspace.root / ".brain").write_text("a file where the folder should be")

    answer = awf("autosave", "manual", "--lang", "vi")

    assert answer.code == 5
    assert answer.out == "⚠️ Không thể lưu session. Kiểm tra quyền ghi file.\n"
    assert ".brain" in answer.err


SEED = {
    "workflow_end": "💾 Da luu tien do. Ban co the dong app an toan.",
    "user_leaving": "💾 Thay ban chuan bi di, da auto-save session.",
    "context_warning": "⚠️ Context sap day. Da save backup. Nen go /save-brain roi bat dau session moi.",
    "emergency": "⚠️ Da luu khan cap. Go /recap trong session moi de tiep tuc.",
    "save_failed": "⚠️ Khong the luu session. Kiem tra quyen ghi file.",
    "restored": "Da khoi phuc tu backup gan nhat.",
    "no_session": "Chua co session. Bat dau moi nhe!",
    "recap_restored": "Da khoi phuc tu backup.",
    "session_broken": "Session bi loi. Bat dau fresh!",
}


@pytest.mark.parametrize("name", SEED)
def test_seed_000_001_without_marks_the_notices_are_the_seeds_spelling(name):
    text = getattr(NOTICE_WORDS["vi"], name).format(save="/save-brain", recap="/recap")
    parts = unicodedata.normalize("NFD", text.replace("đ", "d").replace("Đ", "D"))

    assert (
        "".join(mark for mark in parts if mark == "\ufe0f" or not unicodedata.combining(mark)) == SEED[name]
    )
