"""`list`, `show` and `search`: what they find, their objects, and no escape sequence from a stranger (SPEC 9)."""

import unicodedata

import pytest

EVIL = "\x1b]0;owned\x07\x1b[31mred\x1b[0m \x9b1mbold \u202edesrever\u202c \x07bell \ud83d end"
HIT_KEYS = {
    *("kind", "feature", "session", "turn", "time", "title", "role", "path", "score", "snippet"),
    *("part", "id", "marks", "branch", "status"),
}


@pytest.fixture
def archive(workspace, talk, talk_class, tmp_path):
    """Two features: `login` with two sessions and a turn left by a rewind, `đăng ký` with one."""
    talk.ask("Chọn kho nào cho đăng nhập?", "Tôi đề xuất SQLite.")
    left = talk.ask("Thử Redis xem", "Được, dùng Redis.")
    talk.rewind(left).ask("Không, dùng bộ nhớ trong", "Được, dùng bộ nhớ trong.")
    workspace.save(talk)
    talk.user("Chạy test")
    talk.call("Bash", {"command": "npm test"}, "3 passed", is_error=False)
    talk.reply("Xong.")
    workspace.save(talk)
    other = talk_class(tmp_path / "other.jsonl", "0000bbbb-1111-4111-8111-00000000000b")
    workspace.save(other.asks(1), feature="đăng ký")
    return workspace


def _is_clean(text):
    controls = {mark for mark in text if unicodedata.category(mark) in ("Cc", "Cs")} - {"\t", "\n"}
    return not controls and not set(text) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@pytest.mark.usefixtures("archive")
class TestList:
    def test_every_session_has_a_row(self, awf):
        lines = awf("list").out.split("\n")

        assert [line.split()[:1] for line in lines[1:4]] == [["login"], ["login"], ["đăng"]]
        assert "session-002" in lines[2]
        assert "#4-4" in lines[2]

    def test_columns_line_up_though_letters_are_wide_or_decomposed(self, awf, archive, talk_class, tmp_path):
        wide = talk_class(tmp_path / "wide.jsonl", "0000cccc-1111-4111-8111-00000000000c")
        archive.save(wide.asks(1), feature="用户屏蔽")

        lines = awf("list").out.rstrip("\n").split("\n")

        starts = {
            sum(1 + (unicodedata.east_asian_width(mark) in "WF") for mark in line[: line.index("session-")])
            for line in lines[1:]
        }
        assert len(starts) == 1

    def test_json_has_the_documented_keys(self, awf, talk):
        sessions = awf("list", "--json").json["sessions"]

        assert sessions[0] == sessions[0] | {
            "feature": "login",
            "session": "session-001",
            "globalRange": [1, 3],
            "turnCount": 3,
            "title": sessions[0]["title"],
            "source": "claude-code",
            "window": talk.window,
            "createdAt": "2026-03-05T10:00:00Z",
            "status": "saved",
            "partial": False,
        }
        assert [one["status"] for one in sessions] == ["saved", "active", "active"]

    def test_a_feature_narrows_it(self, awf):
        assert len(awf("list", "--feature", "đăng ký", "--json").json["sessions"]) == 1


@pytest.mark.usefixtures("archive")
class TestShow:
    def test_a_turn_by_its_global_number(self, awf):
        shown = awf("show", "login#4", "--json").json

        assert (shown["feature"], shown["session"], shown["turn"]) == ("login", "session-002", 4)
        assert shown["user"] == "Chạy test"
        assert shown["assistant"].endswith("Xong.")
        assert [(one["side"], one["type"]) for one in shown["blocks"]] == [
            ("user", "text"),
            ("assistant", "toolCall"),
            ("assistant", "text"),
        ]
        assert shown["blocks"][1]["input"] == {"command": "npm test"}
        assert shown["blocks"][1]["result"]["blocks"] == [{"type": "text", "text": "3 passed"}]
        assert set(shown) >= {
            *("feature", "session", "turn", "time", "branch", "partial", "user", "assistant", "blocks"),
        }

    @pytest.mark.parametrize(
        ("place", "turns"),
        [
            (["login#2-4"], [2, 3, 4]),
            (["login#2–3"], [2, 3]),
            (["login#3-3"], [3]),
            (["login#3-99"], [3, 4]),
            (["login/session-001"], [1, 2, 3]),
            (["login", "session-002"], [4]),
            (["login"], [1, 2, 3, 4]),
            (["đăng", "ký"], [1]),
            (["đăng ký/session-001"], [1]),
            ([unicodedata.normalize("NFD", "đăng ký")], [1]),
        ],
        ids=str,
    )
    def test_ranges_sessions_and_features(self, awf, place, turns):
        shown = awf("show", *place, "--json").json

        assert [one["turn"] for one in shown["turns"]] == turns

    def test_a_feature_whose_name_ends_like_a_session_is_itself(self, awf, archive, talk_class, tmp_path):
        other = talk_class(tmp_path / "o.jsonl", "0000cccc-1111-4111-8111-00000000000c")
        archive.save(other.asks(2), feature="login session-001")

        assert len(awf("show", "login session-001", "--json").json["turns"]) == 2
        assert awf("show", "login session-001#2", "--json").json["turn"] == 2

    @pytest.mark.parametrize(
        ("place", "code"),
        [("login#5", 1), ("login#0", 1), ("login/session-009", 1), ("login#3-2", 2), ("", 2), ("login#x", 2)],
    )
    def test_what_is_not_there_is_said(self, awf, place, code):
        answer = awf("show", place)

        assert (answer.code, answer.out) == (code, "")
        assert answer.err

    def test_a_person_sees_both_sides_and_the_telling_line_of_a_call(self, awf):
        out = awf("show", "login#4").out

        assert "login#4 · Turn 4 · session-002" in out
        assert "▌ User\n\nChạy test" in out
        assert "🔧 Bash: npm test" in out

    def test_a_turn_that_was_left_is_marked(self, awf):
        assert "(left by a rewind)" in awf("show", "login#2").out
        assert awf("show", "login#2", "--json").json["branch"] == "abandoned"


@pytest.mark.usefixtures("archive")
class TestSearch:
    def test_json_has_the_documented_keys(self, awf, archive):
        answer = awf("search", "dùng Redis", "--json").json

        assert set(answer) == {"query", "total", "tookMs", "note", "didYouMean", "hits"}
        assert all(set(hit) == HIT_KEYS for hit in answer["hits"])
        first = answer["hits"][0]
        assert (first["kind"], first["feature"], first["turn"]) == ("turn", "login", 2)
        assert (archive.root / first["path"]).is_file()

    def test_a_hit_on_a_branch_that_was_left_is_labelled(self, awf):
        assert "(left by a rewind)" in awf("search", "Redis").out
        assert awf("search", "Redis", "--json").json["hits"][0]["branch"] == "abandoned"

    def test_nothing_found_is_a_no(self, awf):
        answer = awf("search", "xyzzyplugh", "--json")

        assert answer.code == 1
        assert answer.json["hits"] == []

    def test_what_looks_like_an_option_is_text_of_the_topic(self, awf):
        assert awf("search", "npm", "--runInBand").code in (0, 1)

    def test_a_workspace_that_cannot_be_written_is_searched_all_the_same(self, awf, monkeypatch):
        def refuses(*_arguments, **_options):
            from awf_archive.errors import DiskError

            raise DiskError("read-only")

        monkeypatch.setattr("awf_archive.search.whoosh_index.WhooshIndex.sync", _once(refuses), raising=True)

        assert awf("search", "Redis", "--kind", "turn", "--json").json["total"] == 1


def _once(refuses):
    from awf_archive.search.whoosh_index import WhooshIndex

    real, calls = WhooshIndex.sync, []

    def sync(self, *arguments, **options):
        calls.append(self)
        return refuses() if len(calls) == 1 else real(self, *arguments, **options)

    return sync


class TestStrangersText:
    @pytest.fixture
    def evil(self, workspace, talk):
        talk.ask(f"find me {EVIL}", f"the answer {EVIL}")
        talk.records.append(
            {"type": "custom-title", "customTitle": f"title {EVIL}", "sessionId": talk.window}
        )
        talk.user("run it")
        talk.call("Bash", {"command": f"echo {EVIL}"}, EVIL)
        workspace.save(talk)
        return workspace

    @pytest.mark.usefixtures("evil")
    @pytest.mark.parametrize(
        "arguments",
        [
            ["list"],
            ["show", "login"],
            ["search", "find me"],
            ["search", f"find {EVIL.encode(errors='replace').decode()}"],
            ["show", f"login{EVIL.encode(errors='replace').decode()}#1"],
        ],
        ids=["list", "show", "search", "search for it", "show it"],
    )
    def test_no_escape_sequence_reaches_the_terminal(self, awf, arguments):
        answer = awf(*arguments)

        assert _is_clean(answer.out)
        assert _is_clean(answer.err)
        assert answer.out or answer.err

    @pytest.mark.usefixtures("evil")
    @pytest.mark.parametrize("arguments", [["list"], ["show", "login#1"], ["search", "find me"]], ids=str)
    def test_json_holds_it_escaped_and_whole(self, awf, arguments):
        answer = awf(*arguments, "--json")

        assert _is_clean(answer.out)
        if arguments[0] == "show":
            assert answer.json["user"] == f"find me {EVIL}"

    def test_the_checkpoints_own_output_is_clean_too(self, awf, talk):
        talk.ask(f"a {EVIL}", "b")
        talk.branch = EVIL

        answer = awf("checkpoint", "--transcript", talk.write())

        assert answer.code == 0
        assert _is_clean(answer.out)

    def test_a_files_name_is_a_strangers_too(self, awf, tmp_path):
        path = tmp_path / "evil\x1b[31m\x07.jsonl"
        path.write_bytes(b"")

        answer = awf("checkpoint", "--transcript", path)

        assert "without any conversation" in answer.out
        assert _is_clean(answer.out)
