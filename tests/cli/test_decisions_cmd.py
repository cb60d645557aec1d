"""`awf-archive decide` and `decisions`: recording, listing, changing, going through, exporting."""

import io
import json
import os
import pty
import select
import subprocess
import sys

import pytest

QUESTION = {
    "question": "Which store?",
    "header": "Store",
    "options": [
        {"label": "Redis", "description": "a server"},
        {"label": "SQLite", "description": "no server"},
    ],
}


def answer(text):
    return f'User has answered your questions: "Which store?"="{text}". You can now continue.'


@pytest.fixture
def decided(workspace, talk):
    """Two answers to one question, turns apart, and a refusal with words: D-001, D-002, D-003."""
    talk.user("hàng đợi nào?")
    talk.call("AskUserQuestion", {"questions": [QUESTION]}, answer("Redis"))
    talk.asks(2)
    talk.user("nghĩ lại đi")
    talk.call("AskUserQuestion", {"questions": [QUESTION]}, answer("SQLite"))
    talk.user("cài đi")
    said = "The user doesn't want to proceed with this tool use. Rejected. the user said:\nchỉ dùng pnpm"
    talk.call("Bash", {"command": "npm install"}, said, is_error=True)
    workspace.save(talk)
    return talk


def ids(answered):
    return [(one["id"], one["status"]) for one in answered.json["decisions"]]


@pytest.mark.usefixtures("decided")
def test_the_accepted_stand_first_and_the_proposed_are_marked(awf):
    done = awf("decisions")

    assert done.code == 0
    rows = [line.split() for line in done.out.splitlines() if line.startswith("D-")]
    assert [row[:2] for row in rows] == [["D-001", "accepted"], ["D-002", "accepted"], ["D-003", "proposed"]]
    assert "⟵ D-001?" in done.out


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--status", "proposed"], ["D-003"]),
        (["--text", "sqlite"], ["D-001", "D-002"]),
        (["--text", "store: redis"], ["D-001", "D-002"]),
        (["--text", "CHI DUNG"], ["D-003"]),
        (["--since", "2026-03-02", "--status", "accepted"], ["D-001", "D-002"]),
        (["--until", "2026-03-01"], []),
        (["--by", "assistant"], []),
        (["--feature", "login", "--by", "user"], ["D-001", "D-002", "D-003"]),
    ],
)
@pytest.mark.usefixtures("decided")
def test_filters_hold_together(awf, options, expected):
    done = awf("decisions", *options, "--json")

    assert [one["id"] for one in done.json["decisions"]] == expected
    assert done.code == (0 if expected else 1)


@pytest.mark.usefixtures("decided")
def test_one_is_shown_with_its_options_place_and_what_it_contradicts(awf):
    shown = awf("decisions", "show", "d2").out

    assert "login D-002 · Store: SQLite" in shown
    assert "  - SQLite: no server" in shown
    assert "Seems to take the place of D-001: Store: Redis" in shown
    assert "awf-archive show login#4" in shown


@pytest.mark.usefixtures("decided")
def test_a_decision_is_recorded_once_with_what_it_replaces(awf):
    first = awf(
        "decide", "dùng", "Postgres", "--reason", "nhiều người ghi", "--supersedes", "D-002", "--json"
    ).json
    again = awf("decide", "Dung Postgres!", "--json").json

    assert (first["id"], first["feature"], first["supersedes"]) == ("D-004", "login", ["D-002"])
    assert again["id"] == "D-004"
    old = awf("decisions", "show", "D-002", "--json").json
    assert (old["status"], old["supersededBy"]) == ("superseded", "D-004")


def test_text_on_stdin_meets_no_shell(workspace):
    text = "dùng `touch hacked` $(touch hacked) \"x\" 'y' ; rm -rf"
    done = subprocess.run(
        [sys.executable, "-m", "awf_archive", "decide", "--feature", "pay", "--json"],
        input=text.encode(),
        cwd=workspace.root,
        capture_output=True,
        check=True,
    )

    assert json.loads(done.stdout)["text"] == text
    assert not (workspace.root / "hacked").exists()


def test_before_the_first_checkpoint_a_decision_is_found_by_everything(awf, workspace, talk):
    awf("decide", "dùng SQLite", "--feature", "pay")

    assert awf("decisions", "--json").json["decisions"][0]["text"] == "dùng SQLite"
    hits = awf("search", "sqlite", "--json").json["hits"]
    assert [(hit["kind"], hit["feature"]) for hit in hits] == [("decision", "pay")]
    assert awf("verify", "--json").json["ok"]
    workspace.save(talk.asks(2), feature="pay")
    assert [one.id for one in workspace.archive.decisions("pay")] == ["D-001"]


def test_a_later_checkpoint_gives_what_a_command_recorded_its_turn(awf, workspace, talk):
    awf("decide", "dùng SQLite", "--feature", "login")
    talk.user("/awf-decide dùng SQLite")
    talk.call(
        "Bash", {"command": "awf-archive skill decide <<'E'"}, "✅ D-001 · dùng SQLite\nRecorded in login."
    )
    workspace.save(talk)

    (one,) = workspace.archive.decisions("login")
    assert (one.turn, one.session, one.found_by) == (1, "session-001", "command")


def test_accept_reject_supersede_and_edit_are_kept(decided, awf, workspace):
    awf("decisions", "accept", "D-003")
    awf("decisions", "supersede", "D-001", "--by", "D-002")
    awf("decisions", "edit", "D-002", "--text", "Hàng đợi: SQLite", "--reason", "khỏi cần máy chủ")
    before = awf("decisions", "--json").json

    workspace.save(decided.asks(1))
    awf("decisions", "harvest")

    assert awf("decisions", "--json").json == before
    assert ids(awf("decisions", "--json")) == [
        ("D-002", "accepted"),
        ("D-003", "accepted"),
        ("D-001", "superseded"),
    ]
    assert awf("decisions", "show", "D-002", "--json").json["edited"] == [
        "text",
        "reason",
        "status",
        "supersedes",
    ]


@pytest.mark.usefixtures("decided")
def test_what_was_replaced_may_have_replaced_another_before(awf):
    awf("decisions", "supersede", "D-002", "--by", "D-003")
    awf("decisions", "supersede", "D-001", "--by", "D-002")

    chain = {one["id"]: one for one in awf("decisions", "--json").json["decisions"]}

    assert [chain[name]["status"] for name in ("D-001", "D-002", "D-003")] == [
        "superseded",
        "superseded",
        "accepted",
    ]
    assert (chain["D-001"]["supersededBy"], chain["D-002"]["supersededBy"]) == ("D-002", "D-003")


@pytest.mark.usefixtures("decided")
def test_rejecting_what_replaced_another_lets_that_stand_again(awf):
    awf("decisions", "supersede", "D-001", "--by", "D-002")
    awf("decisions", "reject", "D-002")

    assert ids(awf("decisions", "--json"))[0] == ("D-001", "accepted")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["show", "D-009"], 1, "there is no such decision"),
        (["show", "login/D-009"], 1, "login holds D-001 to D-003"),
        (["show", "hello"], 2, "is no decision's name"),
        (["supersede", "D-001", "--by", "D-001"], 2, "cannot be superseded"),
        (["edit", "D-001"], 2, "nothing to change"),
        (["edit", "D-001", "--text", " "], 2, "needs a text"),
        (["--status", "proposed", "show", "D-001"], 2, "stands before show"),
    ],
)
@pytest.mark.usefixtures("decided")
def test_wrong_words_are_answered(awf, arguments, code, told):
    done = awf("decisions", *arguments)

    assert done.code == code
    assert told in done.err


@pytest.mark.usefixtures("decided")
def test_no_ring_of_decisions_that_replace_one_another(awf):
    awf("decisions", "supersede", "D-001", "--by", "D-002")
    awf("decisions", "supersede", "D-002", "--by", "D-003")

    done = awf("decisions", "supersede", "D-003", "--by", "D-001")

    assert (done.code, "cannot be superseded" in done.err) == (2, True)


@pytest.mark.usefixtures("decided")
def test_the_same_number_in_two_features_asks_which(awf):
    awf("decide", "khác", "--feature", "pay")

    assert "login, pay each hold one" in awf("decisions", "show", "D-001").err
    assert awf("decisions", "show", "pay/D-001", "--json").json["text"] == "khác"


def test_an_empty_text_records_nothing(awf, workspace):
    done = awf("decide", "  ", "--feature", "pay")

    assert (done.code, "has no text" in done.err) == (2, True)
    assert not workspace.layout.context("pay").exists()


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, *arguments, cwd):
        self.pid, self.end = pty.fork()
        if not self.pid:
            os.chdir(cwd)
            os.execv(sys.executable, [sys.executable, "-m", "awf_archive", *arguments])  # noqa: S606 - our own
        self.shown = ""

    def waits_for(self, words):
        """Read until these words stand on the screen."""
        while words not in self.shown:
            ready, _, _ = select.select([self.end], [], [], 60)
            assert ready, f"{words!r} never came; shown was {self.shown!r}"
            try:
                data = os.read(self.end, 65536)
            except OSError:
                data = b""
            assert data, f"{words!r} never came; shown was {self.shown!r}"
            self.shown += data.decode("utf-8", "replace")
        self.shown = self.shown.partition(words)[2]

    def types(self, keys):
        os.write(self.end, keys.encode())

    def ends(self):
        _, status = os.waitpid(self.pid, 0)
        os.close(self.end)
        return os.waitstatus_to_exitcode(status)


@pytest.mark.usefixtures("decided")
def test_review_goes_through_what_waits_on_a_terminal(awf, workspace):
    terminal = Terminal("decisions", "review", "--lang", "en", cwd=workspace.root)
    terminal.waits_for("1 of 2 · login#4")
    terminal.waits_for("Seems to take the place of D-001: Store: Redis")
    terminal.waits_for("[q] quit")
    terminal.types("x")
    terminal.waits_for("x: no such key.")
    terminal.types("u")
    terminal.waits_for("D-002 takes the place of D-001")
    terminal.waits_for("2 of 2 · login#5")
    terminal.waits_for("cài đi")
    terminal.waits_for("[q] quit")
    terminal.types("e")
    terminal.waits_for("Decision (empty: as it is):")
    terminal.types("chỉ dùng pnpm trong repo này\n")
    terminal.waits_for("Why (empty: as it is):")
    terminal.types("\n")
    terminal.waits_for("D-003 is changed")
    terminal.waits_for("[q] quit")
    terminal.types("a")
    terminal.waits_for("Accepted 1 · rejected 0 · superseding 1 · edited 1 · skipped 0")

    assert terminal.ends() == 0
    assert ids(awf("decisions", "--json")) == [
        ("D-002", "accepted"),
        ("D-003", "accepted"),
        ("D-001", "superseded"),
    ]
    assert awf("decisions", "show", "D-003", "--json").json["text"] == "chỉ dùng pnpm trong repo này"
    assert awf("decisions", "review").out == "Nothing waits for your word.\n"


@pytest.mark.usefixtures("decided")
def test_what_was_answered_before_quitting_is_saved(awf, workspace):
    terminal = Terminal("decisions", "review", "--lang", "vi", cwd=workspace.root)
    terminal.waits_for("[q] thoát")
    terminal.types("a")
    terminal.waits_for("Đã chốt D-002")
    terminal.waits_for("[q] thoát")
    terminal.types("q")

    assert terminal.ends() == 0
    assert ids(awf("decisions", "review", "--json")) == [("D-003", "proposed")]


@pytest.fixture
def stdin(monkeypatch):
    """Put a text on the standard input."""
    return lambda text: monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


@pytest.mark.usefixtures("decided")
def test_an_assistant_reads_turns_and_its_answer_is_taken_line_by_line(awf, stdin):
    given = awf("decisions", "read", "--feature", "login", "--turns", "1-1")
    answer = {
        "turn": "login#1",
        "text": "hàng đợi",
        "by": "user",
        "status": "accepted",
        "evidence": "hàng đợi nào",
    }
    lines = f"{json.dumps(answer)}\nThat is all."

    stdin(lines)
    done = awf("decisions", "take", "--json")

    assert given.code == 0
    assert "## login#1" in given.out
    assert "login#2" not in given.out
    assert [one["text"] for one in done.json["added"]] == ["hàng đợi"]
    assert done.json["refused"] == [{"line": 2, "why": "it is not a JSON object"}]
    assert done.code == 1


@pytest.mark.usefixtures("decided")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["decisions", "read", "--turns", "9-3"], "1-40"),
        (["decisions", "read", "--turns", "x"], "1-40"),
        (["decisions", "read", "--turns", "800-900"], "no turns"),
        (["decisions", "read", "--feature", "nope"], "nope"),
        (["decisions", "read", "--run"], "[summary] command"),
        (["decisions", "take"], "empty"),
    ],
)
def test_what_cannot_be_read_or_taken_is_one_clear_error(awf, stdin, arguments, told):
    stdin("")
    done = awf(*arguments)

    assert done.code != 0
    assert told in done.out + done.err


@pytest.mark.usefixtures("decided")
def test_rubbish_is_told_in_a_few_lines_and_a_flood_is_refused(awf, stdin):
    stdin("x\n" * 300)
    rubbish = awf("decisions", "take")
    stdin("x" * 500_000)
    flood = awf("decisions", "take")

    assert rubbish.err.count("not a JSON object") == 10
    assert "290 more" in rubbish.err
    assert flood.code == 3
    assert "in parts" in flood.err


@pytest.mark.usefixtures("decided")
def test_the_skill_gives_turns_and_takes_the_answer_on_the_same_line(workspace, awf, stdin):
    answer = {
        "turn": "login#1",
        "text": "hàng đợi",
        "by": "user",
        "status": "accepted",
        "evidence": "hàng đợi nào",
    }

    stdin("login 1-1\n")
    given = awf("skill", "decisions")
    stdin(json.dumps(answer))
    taken = awf("skill", "decisions")

    assert "## login#1" in given.out
    assert "hàng đợi" in taken.out
    assert any(one.text == "hàng đợi" for one in workspace.archive.decisions("login"))


@pytest.mark.usefixtures("decided")
def test_export_writes_madr_files_that_link_and_keep_their_names(awf, tmp_path):
    folder = tmp_path / "adr"
    awf("decisions", "supersede", "D-001", "--by", "D-002")

    first = awf("decisions", "export", folder, "--json").json["files"]
    again = awf("decisions", "export", folder, "--json").json["files"]

    assert [(one["id"], one["written"]) for one in first] == [("D-002", True), ("D-001", True)]
    assert [one["written"] for one in again] == [False, False]
    text = (folder / "0001-store-redis.md").read_text(encoding="utf-8")
    assert 'status: "superseded by [D-002](0002-store-sqlite.md)"' in text
    assert "# Store: Redis" in text
    assert "* Redis: a server" in text
    awf("decisions", "edit", "D-002", "--text", "Hàng đợi nằm trong SQLite")
    awf("decisions", "export", folder)
    assert sorted(path.name for path in folder.iterdir()) == ["0001-store-redis.md", "0002-store-sqlite.md"]
    assert "# Hàng đợi nằm trong SQLite" in (folder / "0002-store-sqlite.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("decided")
def test_export_touches_no_file_of_anyone_else(awf, tmp_path, snapshot):
    folder = tmp_path / "adr"
    folder.mkdir()
    (folder / "0002-store-sqlite.md").write_text("# ours", encoding="utf-8")
    before = snapshot(folder)

    done = awf("decisions", "export", folder)

    assert (done.code, "stands there already" in done.err) == (2, True)
    assert snapshot(folder) == before


def test_a_strangers_text_opens_nothing_in_an_exported_file(awf, tmp_path):
    awf(
        "decide", "<script>x</script> [a](javascript:b) ../../etc", "--reason", "# h\n---", "--feature", "pay"
    )

    (one,) = awf("decisions", "export", tmp_path / "adr", "--json").json["files"]

    text = (tmp_path / "adr" / "0001-script-x-script-a-javascript-b-etc.md").read_text(encoding="utf-8")
    assert one["path"] == str(tmp_path / "adr" / "0001-script-x-script-a-javascript-b-etc.md")
    assert "<script>" not in text.replace("\\<", "")
    assert "](javascript" not in text.replace("\\]", "")


@pytest.mark.usefixtures("decided")
@pytest.mark.parametrize("option", ["--since", "--until"])
@pytest.mark.parametrize("day", ["2026-13", "2026-02-30", "2026-1", "yesterday", "20260101"])
def test_a_day_that_is_none_is_an_error_and_no_empty_list(awf, option, day):
    refused = awf("decisions", option, day, "--json")

    assert refused.code == 2
    assert refused.error["message"] == f"{option} {day}: not a day, month or year."


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Recorded in the new feature pay."),
        ("vi", "Đã ghi vào tính năng mới pay."),
        ("zh", "已记录到新功能 pay。"),
    ],
)
@pytest.mark.usefixtures("decided")
def test_a_decision_says_that_its_feature_is_new(awf, language, said):
    first = awf("decide", "use SQLite", "--feature", "pay", "--lang", language)
    second = awf("decide", "use Redis", "--feature", "pay", "--json").json

    assert first.out.splitlines()[-1] == said
    assert (second["newFeature"], second["known"]) == (False, False)


@pytest.mark.usefixtures("decided")
def test_a_decision_that_is_known_says_so_and_whether_it_is_accepted_by_that(awf):
    (waiting,) = awf("decisions", "--status", "proposed", "--json").json["decisions"]

    done = [awf("decide", waiting["text"], "--feature", "login", "--lang", "en") for _ in range(2)]

    assert [one.out.splitlines()[-1] for one in done] == [
        "Recorded in login before; it is accepted now.",
        "Recorded in login before, and accepted.",
    ]
    assert len(awf("decisions", "--json").json["decisions"]) == 3
