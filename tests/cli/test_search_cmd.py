"""`search`: what it refuses, what it says beside the hits, pages, and opening a hit in the editor (SPEC 4)."""

import json
import stat
import sys

import pytest


@pytest.fixture
def archive(workspace, talk, talk_class, tmp_path):
    """Two sessions of `login`, one of `pay`; the second with a tool's output, a thought and a rewind."""
    talk.ask("Chọn kho nào cho đăng nhập?", "Tôi đề xuất SQLite.")
    workspace.save(talk)
    talk.user("Chạy test")
    talk.reply({"type": "thinking", "thinking": "maybe zanzibar helps", "signature": "x"})
    talk.call("Bash", {"command": "npm run quagga"}, "FAILED okapi_check", is_error=True)
    left = talk.ask("Thử Redis xem", "Được, dùng Redis.")
    talk.rewind(left).ask("Không, SQLite thôi", "Được, SQLite.")
    workspace.save(talk)
    other = talk_class(tmp_path / "other.jsonl", "0000bbbb-1111-4111-8111-00000000000b")
    other.ask("SQLite hay Postgres cho thanh toán?", "Postgres. Xem kind:brain.")
    workspace.save(other, feature="pay")
    return workspace


@pytest.fixture
def editor(tmp_path, monkeypatch):
    """An editor that writes down what it was called with; `name` decides how lines are told."""

    def named(name):
        log = tmp_path / "editor.json"
        program = tmp_path / name
        program.write_text(
            f"#!{sys.executable}\nimport json, sys\njson.dump(sys.argv[1:], open({str(log)!r}, 'w'))\n"
        )
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("VISUAL", f"'{program}' --flag")
        return lambda: json.loads(log.read_text())

    return named


@pytest.mark.usefixtures("archive")
class TestOptions:
    @pytest.mark.parametrize(
        ("option", "value", "allowed"),
        [
            ("--since", "foo", "7d"),
            ("--until", "yesterday", "2026-03-02"),
            ("--kind", "x", "turn, chunk, decision, state, brain, said, tool, tools, thinking, summary"),
            ("--role", "admin", "user or assistant"),
            ("--session", "last", "session-003"),
        ],
    )
    def test_a_value_that_means_nothing_is_refused_with_what_is_allowed(self, awf, option, value, allowed):
        answer = awf("search", "SQLite", option, value)

        assert (answer.code, answer.out) == (2, "")
        assert value in answer.err
        assert allowed in answer.err

    def test_the_same_typed_in_the_topic_is_text(self, awf):
        assert awf("search", "SQLite Postgres since:soon", "--json").json["note"] == "most-words"

    @pytest.mark.parametrize(
        ("options", "turns"),
        [
            (["--tool", "Bash"], {("login", 2)}),
            (["--tool", "bash", "--feature", "pay"], set()),
            (["--session", "1", "--feature", "login"], {("login", 1)}),
            (["--since", "2027"], set()),
            (["--kind", "said", "--feature", "pay"], {("pay", 1)}),
        ],
        ids=str,
    )
    def test_options_narrow_what_is_found(self, awf, options, turns):
        hits = awf("search", "SQLite OR test OR quagga", *options, "--json").json["hits"]

        assert {(hit["feature"], hit["turn"]) for hit in hits} == turns

    def test_a_file_that_was_touched(self, awf, archive, talk):
        talk.user("sửa giúp")
        talk.call("Edit", {"file_path": "/srv/dev/demo/src/auth/login.ts", "old_string": "a"}, "ok")
        archive.save(talk)

        assert [hit["turn"] for hit in awf("search", "sửa", "--file", "auth/login.ts", "--json").json["hits"]]
        assert awf("search", "sửa", "--file", "pay.ts").code == 1


@pytest.mark.usefixtures("archive")
class TestWords:
    def test_options_alone_list_the_newest_first(self, awf):
        hits = awf("search", "--feature", "login", "--kind", "turn", "--json").json["hits"]

        assert [hit["turn"] for hit in hits] == [4, 3, 2, 1]

    def test_without_anything_to_search_for_it_says_what_is_missing(self, awf):
        assert awf("search").code == 2

    def test_spec_j02_whatever_is_typed_is_answered(self, awf, shared):
        topics = json.loads((shared / "cases/J02-query-syntax/input.json").read_text(encoding="utf-8"))

        answers = {topic: awf("search", "--json", "--", topic) for topic in topics}

        assert {topic: answer for topic, answer in answers.items() if answer.code not in (0, 1)} == {}
        assert all(answer.json["query"] == topic.strip() for topic, answer in answers.items())

    @pytest.mark.parametrize(
        ("topic", "note", "said"),
        [
            ("SQLite zzyzx", "most-words", "No place holds all of these words"),
            ("kind:brain", "filters-as-text", "so it was searched as words"),
            ("!!!", "no-words", "There is no word in this topic"),
            ("thôi-SQLite", "loose", "here its parts stand apart"),
        ],
    )
    def test_each_note_is_said_in_words(self, awf, topic, note, said):
        assert awf("search", topic, "--json").json["note"] == note
        assert said in awf("search", topic).out

    @pytest.mark.parametrize("language", ["en", "vi", "zh"])
    def test_notes_and_labels_come_in_each_language(self, awf, language):
        from awf_archive.domain.wording import WORDINGS

        out = awf("search", "SQLite zzyzx", "--lang", language).out

        assert WORDINGS[language].search.notes["most-words"] in out

    def test_a_slip_is_offered_also_beside_fallback_hits(self, awf):
        assert 'Did you mean "SQLite postgres"?' in awf("search", "SQLite postgers").out

    @pytest.mark.parametrize(
        ("topic", "role", "part", "said"),
        [
            ("okapi_check", "tool", "tools", "tool output"),
            ("quagga", "assistant", "tools", "tool input"),
            ("zanzibar", "assistant", "thinking", "thinking"),
            ("Chạy", "user", "said", "user"),
        ],
    )
    def test_where_in_a_turn_it_was_found_is_shown(self, awf, topic, role, part, said):
        hit = awf("search", topic, "--json").json["hits"][0]

        assert (hit["role"], hit["part"]) == (role, part)
        assert f"· {said}\n" in awf("search", topic).out

    def test_hits_are_grouped_by_session_and_keep_their_rank(self, awf):
        out = awf("search", "SQLite", "--kind", "turn").out

        assert out.count("■ login · session-001") == 1
        assert out.count("■ pay · session-001") == 1
        assert sorted(line.split(".")[0].strip() for line in out.split("\n") if "#" in line) == [
            "1",
            "2",
            "3",
        ]

    def test_what_was_left_by_a_rewind_is_labelled(self, awf):
        assert "(left by a rewind)" in awf("search", "Redis").out
        assert awf("search", "Redis", "--json").json["hits"][0]["branch"] == "abandoned"


@pytest.mark.usefixtures("archive")
class TestPages:
    def test_pages_follow_one_another(self, awf):
        asked = ("search", "SQLite", "--kind", "turn", "--json")
        whole = [hit["path"] for hit in awf(*asked).json["hits"]]

        pages = [awf(*asked, "--limit", "1", "--offset", str(at)).json for at in range(4)]

        assert [hit["path"] for page in pages for hit in page["hits"]] == whole
        assert {page["total"] for page in pages} == {3}

    def test_the_next_page_is_named_and_the_last_names_none(self, awf):
        assert "--offset 2" in awf("search", "SQLite", "--limit", "2").out
        assert "--offset" not in awf("search", "SQLite", "--offset", "2").out

    def test_a_page_past_the_end_is_a_no_but_does_not_say_that_nothing_was_found(self, awf):
        answer = awf("search", "SQLite", "--offset", "50")

        assert answer.code == 1
        assert "Nothing found" not in answer.out


@pytest.mark.usefixtures("archive")
class TestOpen:
    @pytest.mark.parametrize("name", ["vim", "code", "hx", "strange-editor"])
    def test_the_best_hit_opens_at_its_line(self, awf, editor, archive, name):
        called = editor(name)

        assert awf("search", "okapi_check", "--open").code == 0

        path = archive.context / "conversations/sessions/session-002/turn-001.md"
        line = next(n for n, text in enumerate(path.read_text().split("\n"), 1) if "okapi_check" in text)
        assert (
            called()
            == {
                "vim": ["--flag", f"+{line}", str(path)],
                "code": ["--flag", "--goto", f"{path}:{line}"],
                "hx": ["--flag", f"{path}:{line}"],
                "strange-editor": ["--flag", str(path)],
            }[name]
        )

    def test_another_hit_is_named_by_its_rank(self, awf, editor):
        called = editor("vim")
        hits = awf("search", "SQLite", "--json").json["hits"]

        awf("search", "SQLite", "--open", "--hit", "3")

        assert called()[-1].endswith(hits[2]["path"])

    @pytest.mark.parametrize("value", [None, "", "/no/such/editor", "'unclosed"])
    def test_without_an_editor_it_says_what_to_set(self, awf, monkeypatch, value):
        for name in ("VISUAL", "EDITOR"):
            monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv("VISUAL", value)

        answer = awf("search", "SQLite", "--open")

        assert answer.code == 2
        assert "export VISUAL=" in answer.err

    def test_nothing_found_opens_nothing(self, awf, editor):
        editor("vim")

        assert awf("search", "zzyzx", "--open").code == 1

    def test_a_path_with_blanks_is_one_argument(self, awf, editor, archive, talk_class, tmp_path):
        called = editor("vim")
        talk = talk_class(tmp_path / "f.jsonl", "0000eeee-1111-4111-8111-00000000000e")
        talk.ask("find wombat", "x")
        archive.save(talk, feature="đăng ký - b")

        awf("search", "wombat", "--open")

        assert "/đăng ký - b/" in called()[-1]


class TestAllTiers:
    def test_work_state_and_brain_are_found_and_labelled(self, awf, archive):
        folder = archive.root / ".brain"
        folder.mkdir()
        state = {"updated_at": "2026-03-05T09:00:00Z", "pending_tasks": [{"task": "nối numbat vào API"}]}
        (folder / "session.json").write_text(json.dumps(state), encoding="utf-8")
        (folder / "brain.json").write_text(json.dumps({"project": {"name": "bilby"}}), encoding="utf-8")
        (folder / "handover.md").write_text("# Bàn giao\n\nnhớ quoll\n", encoding="utf-8")

        found = {topic: awf("search", topic, "--json").json["hits"] for topic in ("numbat", "bilby", "quoll")}

        assert [(hits[0]["kind"], hits[0]["path"]) for hits in found.values()] == [
            ("state", ".brain/session.json"),
            ("brain", ".brain/brain.json"),
            ("brain", ".brain/handover.md"),
        ]
        assert found["numbat"][0]["snippet"] == "nối numbat vào API"
        assert awf("search", "numbat kind:state", "--json").json["total"] == 1
        (folder / "session.json").write_text("{}", encoding="utf-8")
        assert awf("search", "numbat").code == 1

    def test_case_b07_a_machine_written_summary_is_found_and_is_nobodys_words(self, awf, workspace, shared):
        workspace.save(shared / "cases/B07-compact-boundary/input.jsonl")

        hits = awf("search", "SYNTHETIC-SUMMARY", "--json").json["hits"]

        assert [(hit["part"], hit["role"]) for hit in hits] == [("summary", "")]
        assert "machine-written summary" in awf("search", "SYNTHETIC-SUMMARY").out
        assert awf("search", "SYNTHETIC-SUMMARY role:user", "--json").json["hits"] == []
        assert awf("search", "SYNTHETIC-SUMMARY", "--kind", "summary", "--json").json["total"] == 1
