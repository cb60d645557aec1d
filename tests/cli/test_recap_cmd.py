import io
import json
import os
import subprocess
import sys

import pytest

from awf_archive.cli.recap_quick import quick

STATE = {
    "updated_at": "2026-03-05T10:00:00Z",
    "summary": {"project": "ThaoCoffe", "current_feature": "Đăng nhập", "next_step": "数据库连接"},
    "decisions_made": [{"decision": "Dùng NextAuth", "reason": "đơn giản hơn"}],
}


@pytest.fixture
def brain(workspace):
    path = workspace.root / ".brain/session.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(STATE))
    return path


@pytest.mark.usefixtures("brain")
def test_spec_4_levels_by_their_words(awf):
    level_1, full = awf("recap", "--lang", "vi"), awf("recap", "full", "--lang", "vi")

    assert level_1.code == full.code == 0
    assert "📍 Đang làm: Đăng nhập" in level_1.out
    assert "💡 Gõ awf-archive recap full để xem chi tiết." in level_1.out
    assert "📋 Quyết định gần đây:\n  • Dùng NextAuth (đơn giản hơn)" in full.out


@pytest.mark.usefixtures("brain")
def test_spec_4_commands_are_named_as_the_place_knows_them(awf):
    assert "Gõ /recap full" in awf("recap", "--lang", "vi", "--place", "awf").out
    assert "Run /awf-recap full" in awf("recap", "--lang", "en", "--place", "claude-code").out


@pytest.mark.usefixtures("brain")
def test_spec_9_json_is_one_object(awf):
    answer = awf("recap", "--json").json

    assert answer["text"].startswith("👋")
    assert answer["summary"]["project"] == "ThaoCoffe"
    assert answer["tokens"] <= 200


def test_spec_4_no_session_exits_1(awf):
    answer = awf("recap", "--lang", "vi")

    assert (answer.code, answer.out) == (1, "Chưa có session. Bắt đầu mới nhé!\n")
    assert awf("recap", "--inject").code == 0


@pytest.mark.usefixtures("brain")
@pytest.mark.parametrize("topic", [["nextauth"], ["--topic", "nextauth"], ["dung", "nextauth"]], ids=" ".join)
def test_spec_4_a_topic_is_found_in_the_work_state(awf, topic):
    answer = awf("recap", *topic, "--lang", "vi")

    assert answer.code == 0
    assert answer.out.startswith('🔍 Tìm kiếm: "')
    assert "«NextAuth»" in answer.out
    assert ".brain/session.json" in answer.out


@pytest.mark.usefixtures("brain")
def test_spec_4_full_and_deep_can_be_searched_for(awf):
    assert awf("recap", "--topic", "full").out.startswith('🔍 Search: "full"')


@pytest.mark.usefixtures("brain")
def test_spec_4_what_looks_like_an_option_is_text(awf, workspace, talk):
    workspace.save(talk.asks(1))

    answer = awf("recap", "question", "--zzz-nothing")

    assert answer.code in {0, 1}
    assert "--zzz-nothing" in answer.out


@pytest.mark.usefixtures("brain")
def test_spec_4_a_topic_finds_turns_and_state_together(awf, workspace, talk):
    talk.ask("Dùng NextAuth hay Lucia?", "NextAuth.")
    workspace.save(talk)

    hits = awf("recap", "nextauth", "--json").json["hits"]

    assert {"state", "turn"} <= {hit["kind"] for hit in hits}


@pytest.mark.usefixtures("brain")
def test_a_terminal_without_marks_gets_the_seeds_spelling(workspace):
    environment = {
        **os.environ,
        "PYTHONIOENCODING": "ascii:replace",
        "HOME": str(workspace.root),
        "PYTHONUTF8": "0",
    }
    done = subprocess.run(
        [sys.executable, "-m", "awf_archive", "recap", "--lang", "vi"],
        cwd=workspace.root,
        env=environment,
        capture_output=True,
        check=True,
    )

    assert b"Dang lam: Dang nhap" in done.stdout
    assert b"Buoc tiep" in done.stdout


@pytest.mark.usefixtures("brain")
@pytest.mark.parametrize("arguments", [["recap"], ["recap", "--inject"]], ids=" ".join)
@pytest.mark.parametrize("language", ["en", "vi", "zh"])
def test_the_short_way_says_what_the_command_says(awf, monkeypatch, arguments, language):
    monkeypatch.setenv("AWF_ARCHIVE_LANGUAGE", language)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    said = []

    code = quick(arguments, said.append)

    answer = awf(*arguments)
    assert ("".join(said), code) == (answer.out, answer.code)


@pytest.mark.parametrize("language", ["en", "vi", "zh"])
def test_the_short_way_says_the_same_of_an_archive_without_a_work_state(
    awf, monkeypatch, workspace, talk, language
):
    workspace.save(talk.asks(2))
    monkeypatch.setenv("AWF_ARCHIVE_LANGUAGE", language)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    said = []

    code = quick(["recap"], said.append)

    answer = awf("recap")
    assert ("".join(said), code) == (answer.out, answer.code)
    assert code == 0
    assert "login/session-001" in answer.out


@pytest.mark.usefixtures("brain")
def test_the_short_way_loads_neither_click_nor_dataclasses(workspace):
    probe = (
        "import sys; from awf_archive.__main__ import main; sys.argv = ['awf-archive', 'recap']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'click', 'dataclasses', 'whoosh', 'platformdirs', 'logging'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], cwd=workspace.root, capture_output=True, text=True, check=True
    )

    assert done.stderr.strip() == "[]"
    assert done.stdout.startswith("👋")
