"""Failures that people reported of tools like this one: archive, search and listing (../shared/cases).

Named after the case folders. "Turn" in a case's own notes often means a message; here it is a turn (SPEC 0).
"""

import json
import re
import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.shared

TURNS = {
    "A01-truncated-last-line": [
        ("Chọn SQLite hay Postgres cho bản đầu?", "Tôi đề xuất SQLite cho bản đầu tiên."),
        ("Đồng ý, ghi lại quyết định.", ""),
    ],
    "A02-corrupt-middle": [
        ("first question", "first answer"),
        ("question after the damage", "answer after the damage"),
    ],
    "A04-nul-padding": [
        ("trước sự cố", "câu trả lời trước sự cố"),
        ("sau sự cố", "tiếp tục bình thường"),
    ],
    "A11-bom-crlf": [("một", "hai")],
    "B01-two-session-ids-one-file": [("lần một", "trả lời một"), ("tiếp tục sau --resume", "trả lời hai")],
    "B02-replayed-history-same-uuid": [("hello", "hi"), ("second", "two"), ("third", "three")],
    "B04-broken-parent-chain": [
        ("làm bước một", "đang làm bước một\n\nxong bước một"),
        ("làm bước hai", "xong bước hai"),
        ("bước ba", "xong bước ba"),
    ],
    "B05-rewind-branch": [
        ("câu hỏi gốc", "trả lời gốc"),
        ("nhánh A: dùng Redis", "được, dùng Redis"),
        ("nhánh B: dùng bộ nhớ trong", "được, dùng bộ nhớ trong"),
    ],
    "B12-unknown-record-types": [("nội dung thật", "trả lời thật")],
    "B18-foreign-records": [
        ("của phiên này", "trả lời của phiên này"),
        ("của phiên KHÁC", ""),
        ("tiếp của phiên này", "xong"),
    ],
}
"""Cases that are about which turns there are, with every text in full."""

PROBLEMS = {
    "A01-truncated-last-line": [("partial", 4)],
    "A02-corrupt-middle": [("unreadable", line) for line in (3, 5, 6, 7, 8)],
    "A04-nul-padding": [("padding", 2)],
    "A05-lone-surrogate": [("lone-surrogate", 2)],
    "A07-u2028-in-string": [],
    "A11-bom-crlf": [],
    "B01-two-session-ids-one-file": [],
    "B02-replayed-history-same-uuid": [],
    "B04-broken-parent-chain": [("unknown-parent", 7)],
    "B12-unknown-record-types": [("unknown-type", 10)],
    "B15-images": [("bad-base64", 7)],
}


@pytest.fixture(scope="session")
def cases(shared):
    return shared / "cases"


@pytest.fixture
def saved(awf, cases):
    """Save a case's input through the program; return the result."""

    def save(case, name="input.jsonl", **options):
        given = [word for pair in options.items() for word in (f"--{pair[0]}", pair[1])]
        answer = awf(
            "checkpoint", "--transcript", cases / case / name, "--feature", "login", "--json", *given
        )
        assert answer.code == 0, answer.err
        return answer.json

    return save


def _total(awf, *topic):
    answer = awf("search", *topic, "--json")
    return answer.json["total"], answer.json["hits"]


@pytest.mark.parametrize("case", TURNS)
def test_every_turn_is_there_in_order_with_its_whole_text(case, saved, workspace):
    result = saved(case)

    assert [(user, assistant) for _, user, assistant, _ in workspace.turns()] == TURNS[case]
    assert result["globalRange"] == [1, len(TURNS[case])]


@pytest.mark.parametrize("case", PROBLEMS)
def test_what_could_not_be_read_is_told_with_its_line(case, saved, workspace):
    result = saved(case)

    assert [(one["code"], one["line"]) for one in result["problems"]] == PROBLEMS[case]
    stored = workspace.metadata("session-001")["problems"]
    assert [(one["code"], one["line"]) for one in stored] == PROBLEMS[case]


@pytest.mark.parametrize(
    "case",
    [
        *("A01", "A02", "A04", "A05", "A07", "A08", "A09", "A11", "B01", "B02", "B04", "B05", "B07", "B09"),
        *("B10", "B11", "B12", "B14", "B15", "B16", "B18", "H01", "K01", "K02"),
    ],
)
def test_saving_a_case_again_changes_nothing(case, awf, cases, workspace, snapshot):
    folder = next(cases.glob(f"{case}-*"))
    files = [path for path in folder.rglob("*.jsonl") if "subagents" not in path.parts]
    for _ in range(2):
        before = snapshot(workspace.layout.archive)
        for path in sorted(files):
            assert awf("checkpoint", "--transcript", path, "--feature", "login").code == 0

    assert snapshot(workspace.layout.archive) == before


def test_a01_the_completed_line_appears_exactly_once(awf, cases, workspace, tmp_path):
    path = tmp_path / "session.jsonl"
    data = (cases / "A01-truncated-last-line/input.jsonl").read_bytes()
    path.write_bytes(data)
    first = awf("checkpoint", "--transcript", path, "--feature", "login", "--json").json
    whole = json.loads(data.split(b"\n")[1])
    whole |= {
        "uuid": "00000004-2222-4222-8222-000000000001",
        "parentUuid": "00000003-2222-4222-8222-000000000001",
    }
    whole["message"] = whole["message"] | {"id": "msg_4", "content": [{"type": "text", "text": "Đã ghi."}]}
    path.write_bytes(data[: data.rindex(b"\n") + 1] + json.dumps(whole).encode() + b"\n")

    second = awf("checkpoint", "--transcript", path, "--feature", "login", "--json").json

    assert (first["unreadable"], second["unreadable"]) == (1, 0)
    assert (second["savedTurns"], second["updatedTurns"]) == (0, 1)
    assert [assistant for *_, assistant, _ in workspace.turns()] == [
        "Tôi đề xuất SQLite cho bản đầu tiên.",
        "Đã ghi.",
    ]


def test_a02_the_result_says_how_many_records_were_not_read(awf, cases):
    answer = awf("checkpoint", "--transcript", cases / "A02-corrupt-middle/input.jsonl")

    assert "5 of 9 records could not be read" in answer.out


def test_a04_no_padding_reaches_the_files(saved, workspace):
    saved("A04-nul-padding")

    assert all(b"\0" not in data and b"U+0000" not in data for data in workspace.turn_files().values())


def test_a05_lone_surrogate_is_saved_reversibly_and_found(saved, awf, workspace):
    saved("A05-lone-surrogate")

    (data,) = workspace.turn_files().values()
    assert "⟦U+D82D⟧" in data.decode("utf-8", errors="strict")
    assert "🙂" in data.decode() or any(ord(mark) > 0xFFFF for mark in data.decode())
    assert _total(awf, "깊이")[0] == 1


def test_a07_separators_survive_and_split_nothing(saved, workspace):
    saved("A07-u2028-in-string")

    (data,) = workspace.turn_files().values()
    assert all(mark in data.decode() for mark in "\u2028\u2029\u0085")


@pytest.mark.parametrize("megabytes", [0, 12])
def test_a08_a_huge_line_is_kept_whole_and_found(awf, cases, workspace, tmp_path, megabytes):
    source = cases / "A08-huge-line/input.jsonl"
    if megabytes:
        maker = cases / "A08-huge-line/make_bigger.py"
        target = tmp_path / "bigger.jsonl"
        subprocess.run([sys.executable, maker, source, target, str(megabytes)], check=True)
        source = target

    assert awf("checkpoint", "--transcript", source, "--feature", "login").code == 0

    (turn,) = workspace.turns()
    assert "done after the big line" in turn[2]
    assert "NEEDLE-AT-THE-END" in turn[2]
    assert len(turn[2]) > megabytes * 1024 * 1024
    assert _total(awf, "NEEDLE-AT-THE-END")[0] == 1


def test_a09_words_stay_and_control_characters_go(saved, awf, workspace):
    saved("A09-control-chars-ansi")

    (data,) = workspace.turn_files().values()
    assert not set(data.decode()) & {chr(code) for code in [*range(9), 11, 12, *range(14, 32)]}
    assert "\x1b[31mFAILED\x1b[0m tests/test_a.py::test_x\0" in workspace_tool_result(workspace)
    assert _total(awf, "FAILED")[0] == 1
    assert _total(awf, "31mFAILED")[0] == 0
    assert "FAILED tests/test_a.py::test_x" in awf("show", "login#1").out


def workspace_tool_result(workspace):
    ((entry, session),) = workspace.archive.sessions("login")
    turn = workspace.archive.turn("login", entry.session_id, session.turns[0])
    return next(one.result.blocks[0].text for one in turn.assistant_blocks if hasattr(one, "result"))


def test_a11_importing_it_with_other_line_ends_adds_nothing(saved, awf, cases, workspace, tmp_path):
    saved("A11-bom-crlf")
    files = workspace.turn_files()
    data = (cases / "A11-bom-crlf/input.jsonl").read_bytes()
    assert b"\r\n" in data
    unix = tmp_path / "unix.jsonl"
    unix.write_bytes(data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n"))

    done = awf("checkpoint", "--transcript", unix, "--json").json

    assert (done["savedTurns"], done["updatedTurns"]) == (0, 0)
    assert workspace.turn_files() == files
    assert all("\ufeff" not in one.decode() and "U+000D" not in one.decode() for one in files.values())


def test_b01_both_ids_find_the_session(saved, workspace):
    saved("B01-two-session-ids-one-file")

    windows = workspace.manifest()["recentSessions"][0]["windows"]
    assert len(windows) == 2
    assert workspace.metadata("session-001")["source"]["windows"] == windows


def test_b02_nothing_is_listed_twice_in_search(saved, awf):
    saved("B02-replayed-history-same-uuid")

    assert _total(awf, "second")[0] == 1


def test_b05_a_search_finds_the_branch_that_was_left_and_says_so(saved, awf, workspace):
    saved("B05-rewind-branch")

    total, hits = _total(awf, "Redis", "--kind", "turn")
    assert (total, hits[0]["branch"], hits[0]["turn"]) == (1, "abandoned", 2)
    decided = awf("decisions", "--json").json["decisions"]
    assert [one["status"] for one in decided if one["turn"] == total + 1] == ["proposed"]
    assert [branch for *_, branch in workspace.turns()] == ["main", "abandoned", "main"]


def test_b07_the_machines_summary_is_kept_and_is_no_turn(saved, awf, workspace):
    done = saved("B07-compact-boundary")

    assert [user for _, user, *_ in workspace.turns()] == [
        "trước khi nén: chọn WAL mode",
        "sau khi nén: bật checksum",
    ]
    assert "SYNTHETIC" not in done["title"]
    assert _total(awf, "SYNTHETIC-SUMMARY")[0] == 1
    shown = awf("show", "login#1", "--json").json["blocks"]
    kinds = [one["kind"] for one in shown if one["type"] == "note"]
    assert "compaction" in kinds
    assert "155,025" in str(shown) or "155025" in str(shown)


def test_b09_one_message_on_many_lines_is_one_answer(saved, awf, workspace):
    saved("B09-one-message-many-lines")

    blocks = [one for one in awf("show", "login#1", "--json").json["blocks"] if one["side"] == "assistant"]
    assert [one["type"] for one in blocks[:4]] == ["thinking", "text", "toolCall", "toolCall"]
    assert blocks[1]["text"] == "Tôi sẽ sửa hàm parse."
    assert all(one["result"] for one in blocks[2:4])
    tokens = workspace.metadata("session-001")["tokens"]["output"]
    last_message = 20
    assert tokens in (631, 631 + last_message)


def test_b10_sub_agents_belong_to_their_session_and_are_found(awf, cases, workspace):
    path = next((cases / "B10-subagents").glob("projects/*/*.jsonl"))

    done = awf("checkpoint", "--transcript", path, "--feature", "login", "--json").json

    assert done["savedTurns"] == 1
    for word in ("SUBAGENT-ONLY-TEXT", "WORKFLOW-ONLY-TEXT"):
        total, hits = _total(awf, word)
        assert (total, hits[0]["session"]) == (1, "session-001")
    assert len(list((workspace.context / "conversations/sessions").iterdir())) == 1


def test_b11_each_typed_prompt_is_there_once(saved, workspace):
    saved("B11-queued-prompts")

    everything = "".join(user + assistant for _, user, assistant, _ in workspace.turns())
    prompts = [user for _, user, *_ in workspace.turns()]
    assert prompts == [
        "câu đầu tiên",
        "QUEUED-ABSORBED: dùng tiếng Việt",
        "QUEUED-THEN-SENT: nhớ viết test",
    ]
    assert everything.count("QUEUED-ABSORBED") == everything.count("QUEUED-THEN-SENT") == 1


def test_b12_unknown_records_are_told_once_per_type(saved):
    done = saved("B12-unknown-record-types")

    assert (done["title"], len(done["problems"])) == ("Sửa lỗi đọc tệp", 1)


def test_b14_the_users_own_title_wins_and_stays_whole(saved, awf):
    assert saved("B14-title-sources")["title"] == "Bản tin: ngày 2/3 #1"
    assert awf("list", "--json").json["sessions"][0]["title"] == "Bản tin: ngày 2/3 #1"


def test_b15_attachments_are_stored_once_and_no_base64_anywhere(saved, awf, workspace):
    saved("B15-images")

    folder = workspace.context / "conversations/sessions/session-001/attachments"
    names = sorted(path.suffix for path in folder.iterdir())
    assert names == [".pdf", ".png", ".svg"]
    files = "".join(data.decode() for data in workspace.turn_files().values())
    assert files.count(next(folder.glob("*.png")).name) >= 2
    assert "iVBORw0KGgo" not in files
    assert "https://example.invalid/a.png" in files
    assert not re.search(r"[A-Za-z0-9+/]{200,}", awf("search", "screenshot", "--json").out)


def test_b16_the_folder_named_in_the_records_decides(awf, cases, tmp_path, monkeypatch):
    """Four projects share two folder names: each workspace gets its own conversation and no other."""
    home = tmp_path / "claude"
    shutil.copytree(cases / "B16-project-path-collisions/projects", home / "projects")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    expected = {"外主/app": "23", "个人/app": "24", "spec-rl": "25", "spec/rl": "26"}
    for name in expected:
        (tmp_path / "srv" / name / ".awf-archive").mkdir(parents=True)
    for path in home.rglob("*.jsonl"):
        moved = path.read_text(encoding="utf-8").replace("/srv/dev/", f"{tmp_path}/srv/")
        path.write_text(moved, encoding="utf-8")

    found = {}
    for name in expected:
        root = tmp_path / "srv" / name
        monkeypatch.chdir(root)
        done = awf("checkpoint", "--all", "--json").json
        assert done["totals"]["files"] == 1
        found[name] = done["results"][0]["window"][6:8]
        assert (root / ".claude/spec-workflow/specs").is_dir()

    assert found == expected


def test_b18_another_windows_turn_is_flagged_and_not_counted_twice(saved, awf, cases, workspace, tmp_path):
    saved("B18-foreign-records")
    entries = workspace.metadata("session-001")["turns"]
    assert [one.get("foreignWindow") for one in entries] == [
        None,
        "00000029-1111-4111-8111-111111111111",
        None,
    ]
    text = (cases / "B18-foreign-records/input.jsonl").read_text(encoding="utf-8")
    records = [json.loads(line) for line in text.splitlines()]
    foreign = next(one for one in records if one["sessionId"].startswith("00000029"))
    own = tmp_path / "00000029-1111-4111-8111-111111111111.jsonl"
    answer = foreign | {"type": "assistant", "uuid": "later", "parentUuid": foreign["uuid"]}
    answer["message"] = {"role": "assistant", "content": [{"type": "text", "text": "trả lời của phiên KHÁC"}]}
    more = foreign | {"uuid": "more", "parentUuid": "later", "message": {"role": "user", "content": "thêm"}}
    own.write_text("".join(json.dumps(one) + "\n" for one in (foreign, answer, more)), encoding="utf-8")

    done = awf("checkpoint", "--transcript", own, "--json").json

    assert (done["feature"], done["savedTurns"], done["updatedTurns"]) == ("login", 1, 1)
    assert [user for _, user, *_ in workspace.turns()].count("của phiên KHÁC") == 1
    again = saved("B18-foreign-records")
    assert (again["savedTurns"], again["updatedTurns"], again["problems"]) == (0, 0, [])


def test_b19_a_file_without_conversation_is_no_error_and_looked_at_again(awf, cases, tmp_path):
    folder = cases / "B19-session-without-turns"
    for name in ("empty.input.jsonl", "input.jsonl"):
        answer = awf("checkpoint", "--transcript", folder / name)
        assert (answer.code, answer.err) == (0, "")
        assert "nothing to save" in answer.out
    assert awf("list").code == 1
    grown = tmp_path / "grown.jsonl"
    more = (cases / "A11-bom-crlf/input.jsonl").read_bytes().removeprefix(b"\xef\xbb\xbf")
    grown.write_bytes((folder / "input.jsonl").read_bytes() + more)

    assert awf("checkpoint", "--transcript", grown, "--json").json["savedTurns"] == 1


@pytest.mark.parametrize("name", ["input.jsonl", "generic.input.json"])
def test_b21_what_only_looks_like_a_transcript_is_not_saved_as_claude_codes(awf, cases, workspace, name):
    path = cases / "B21-wrong-format-detection" / name

    answer = awf("checkpoint", "--transcript", path, "--json")

    if answer.code == 0:
        listed = awf("list", "--json").json["sessions"]
        assert [one["source"] for one in listed] != ["claude-code"]
        assert all(turn[1] for turn in workspace.turns(answer.json["feature"]))
    else:
        assert answer.code == 3
        assert "not recognised: JSON with the keys" in answer.error["message"]
        assert not workspace.layout.archive.exists()


def test_h01_a_growing_file_step_by_step_is_what_one_import_gives(
    awf, cases, workspace, workspace_class, tmp_path
):
    path = tmp_path / "session.jsonl"
    told = []
    for step in ("input.jsonl", "step2.input.jsonl", "step3.input.jsonl", "step4.input.jsonl", "newline"):
        if step == "newline":
            path.write_bytes(path.read_bytes().rstrip(b"\n") + b"\n")
        else:
            shutil.copyfile(cases / "H01-growing-file" / step, path)
        done = awf(*["checkpoint", "--transcript", path, "--feature", "login", "--auto", "--json"]).json
        told.append((done["savedTurns"], done["updatedTurns"]))
        fresh = workspace_class(tmp_path / f"fresh {step}")
        fresh.save(path)
        assert workspace.turn_files() == fresh.turn_files()
        assert workspace.metadata("session-001")["problems"] == []

    assert told == [(1, 0), (0, 0), (1, 0), (0, 1), (0, 0)]


@pytest.mark.parametrize("case", ["K01-raw-html", "K02-fences"])
def test_k_what_was_typed_comes_back_from_the_stored_markdown(case, saved, awf, cases):
    saved(case)
    texts = []
    for line in (cases / case / "input.jsonl").read_text(encoding="utf-8").splitlines():
        content = json.loads(line)["message"]["content"]
        texts += [content] if isinstance(content, str) else [one["text"] for one in content if "text" in one]

    blocks = [one for turn in awf("show", "login", "--json").json["turns"] for one in turn["blocks"]]

    assert [one["text"] for one in blocks if one["type"] in ("text", "prompt")] == texts
