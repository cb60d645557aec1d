"""`awf-archive doctor` and `formats`: what is set up, what is at risk, what can be read (issue 3, point 7)."""

import json
import os
import time

import pytest

from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.doctor_words import DOCTOR_WORDS
from awf_archive.readers import READERS

DAY = 86_400


@pytest.fixture
def chat(talk_class, tmp_path, workspace):
    """Write a Claude Code conversation that nobody touched for some days; return it."""
    made = []

    def write(days, turns=1, cwd=None):
        made.append(days)
        window = f"0000aaaa-1111-4111-8111-0000000000{len(made):02d}"
        path = tmp_path / "home/claude/projects/-p" / f"{window}.jsonl"
        talk = talk_class(path, window, str(cwd or workspace.root)).asks(turns)
        talk.write()
        moment = time.time() - days * DAY - 60
        os.utime(path, (moment, moment))
        return talk

    return write


def at_risk(answer):
    return [(one["path"].rsplit("/", 1)[-1][:-6][-2:], one["daysLeft"]) for one in answer.json["atRisk"]]


class TestAtRisk:
    def test_what_will_soon_be_deleted_unsaved_is_told_the_most_urgent_first(self, awf, chat):
        for days in (5, 20, 29, 40, 15):
            chat(days)

        answer = awf("doctor", "--json")

        assert answer.code == 1
        assert at_risk(answer) == [("04", 0), ("03", 0), ("02", 9), ("05", 14)] or at_risk(answer)[2:] == [
            ("02", 9),
            ("05", 14),
        ]

    def test_saving_takes_the_risk_away(self, awf, chat, workspace, workspace_class, tmp_path):
        other = workspace_class(tmp_path / "other")
        workspace.save(chat(29).path)
        other.save(chat(29, cwd=other.root).path)
        chat(29, cwd="/gone/shop")

        before = awf("doctor", "--json")
        awf("import")
        after = awf("doctor", "--json")

        assert (before.code, at_risk(before)) == (1, [("03", 0)])
        assert (after.code, at_risk(after)) == (0, [])

    def test_a_transcript_with_nothing_in_it_is_no_risk_and_one_that_does_not_read_is(self, awf, chat):
        empty, damaged = chat(29), chat(29)
        empty.path.write_text('{"type": "summary", "summary": "x", "leafUuid": "y"}\n', encoding="utf-8")
        damaged.path.write_bytes(b'{"type": "user", "uuid": \n')
        for talk in (empty, damaged):
            os.utime(talk.path, (time.time() - 29.5 * DAY,) * 2)

        assert at_risk(awf("doctor", "--json")) == [("02", 0)]

    @pytest.mark.parametrize(
        ("settings", "left"),
        [
            pytest.param({"cleanupPeriodDays": 60}, [], id="longer"),
            pytest.param({"cleanupPeriodDays": 25}, [("01", 4)], id="shorter"),
            pytest.param({"cleanupPeriodDays": "soon"}, [("01", 9)], id="no number"),
            pytest.param([], [("01", 9)], id="no object"),
        ],
    )
    def test_claude_codes_own_setting_counts(self, awf, chat, tmp_path, settings, left):
        chat(20)
        (tmp_path / "home/claude/settings.json").write_text(json.dumps(settings), encoding="utf-8")

        assert at_risk(awf("doctor", "--json")) == left


class TestSetUp:
    def test_an_empty_workspace_says_how_to_begin(self, awf, workspace, snapshot):
        before = snapshot(workspace.root)

        answer = awf("doctor")

        assert answer.code == 0
        assert "Nothing is archived here yet. After a chat: awf-archive checkpoint" in answer.out
        assert "No original is kept yet" in answer.out
        assert snapshot(workspace.root) == before

    def test_archive_index_vault_and_last_save_are_told(self, awf, chat):
        talk = chat(1, turns=3)
        awf("checkpoint", "--transcript", talk.path, "--feature", "login")

        answer, told = awf("doctor"), awf("doctor", "--json").json

        assert (answer.code, answer.err) == (0, "")
        assert "✓ 3 turns are archived here, in 1 feature; last saved 20" in answer.out
        assert "✓ The search index is up to date." in answer.out
        assert "✓ The originals of 1 conversation are kept in" in answer.out
        assert (told["turns"], told["index"], told["vault"]["originals"]) == (3, "current", 1)
        assert told["lastSave"].endswith("Z")

    def test_an_index_that_is_behind_or_missing_is_told(self, awf, workspace, talk):
        workspace.save(talk.asks(1))
        missing = awf("doctor", "--json").json["index"]
        awf("search", "question")
        workspace.save(talk.asks(1))

        assert (missing, awf("doctor", "--json").json["index"]) == ("none", "behind")

    def test_turns_that_moved_are_counted_once(self, awf, workspace, talk):
        workspace.save(talk.asks(2))
        awf("move", talk.window, "--to", "pay")

        assert awf("doctor", "--json").json["turns"] == 2

    def test_hooks_are_noticed(self, awf, workspace):
        before = awf("doctor", "--json").json["savesItself"]
        (workspace.root / ".claude").mkdir(exist_ok=True)
        (workspace.root / ".claude/settings.json").write_text(
            '{"hooks": "awf-archive hook"}', encoding="utf-8"
        )

        assert (before, awf("doctor", "--json").json["savesItself"]) == (False, True)

    @pytest.mark.parametrize(
        ("name", "title"), [("codex", "Codex CLI"), ("gemini-cli", "Gemini CLI"), ("cursor", "Cursor")]
    )
    def test_every_tool_that_calls_us_is_named(self, awf, name, title):
        awf("install", name, "--scope", "project")
        there = awf("doctor", "--json").json["savedBy"]
        awf("uninstall", name, "--scope", "project")

        assert (there, awf("doctor", "--json").json["savedBy"]) == ([title], [])

    def test_a_server_of_ours_that_settings_name_is_no_hook(self, awf, workspace):
        (workspace.root / ".gemini").mkdir()
        servers = {"mcpServers": {"awf-archive": {"command": "awf-archive", "args": ["mcp"]}}, "hooks": {}}
        (workspace.root / ".gemini/settings.json").write_text(json.dumps(servers))

        assert awf("doctor", "--json").json["savedBy"] == []

    def test_a_damaged_manifest_is_named_and_nothing_fails(self, awf, workspace, talk):
        workspace.save(talk.asks(1))
        workspace.layout.manifest("login").write_bytes(b"{broken")

        answer = awf("doctor")

        assert answer.code == 1
        assert "✗ Does not read: .claude/spec-workflow/specs/login/.context/manifest.json" in answer.out

    @pytest.mark.parametrize("language", sorted(DOCTOR_WORDS))
    def test_it_speaks_three_languages(self, awf, chat, language):
        chat(29)
        words = DOCTOR_WORDS[language]

        out = awf("doctor", "--lang", language).out

        assert words.no_archive in out
        assert counted(words.at_risk, n=1, days=14) in out
        assert words.today in out
        assert words.do_this in out


class TestFormats:
    def test_every_reader_is_listed_with_what_lies_on_this_machine(self, awf, chat, tmp_path):
        chat(1)
        chat(1)
        (tmp_path / "home/claude/history.jsonl").write_text("{}\n", encoding="utf-8")

        told = awf("formats", "--json").json["formats"]

        assert [one["format"] for one in told] == [row.name for row in READERS]
        found = {one["format"]: one["found"] for one in told if one["found"]}
        assert found == {"claude-code": 2, "claude-history": 1}

    @pytest.mark.parametrize(("language", "head"), [("en", "Format"), ("vi", "Định dạng"), ("zh", "格式")])
    def test_a_person_gets_a_table_in_three_languages(self, awf, language, head):
        lines = awf("formats", "--lang", language).out.splitlines()

        assert lines[0].startswith(head)
        assert len(lines) == len(READERS) + 1
        assert {line.split()[-1] for line in lines[1:]} == {"0"}
