"""The four commands of trust as a person and a program meet them (SPEC 1.11, 9)."""

import pytest


@pytest.fixture
def saved(awf, talk):
    assert awf("checkpoint", "--transcript", talk.asks(2).write(), "--feature", "login").code == 0
    return talk


@pytest.mark.parametrize(("lang", "word"), [("en", "Sound"), ("vi", "Nguyên vẹn"), ("zh", "完好")])
def test_a_sound_archive_says_what_was_proven(awf, saved, lang, word):
    answer = awf("verify", "--lang", lang)

    assert answer.code == 0
    assert word in answer.out
    assert str(saved.path.stat().st_size) in answer.out


def test_json_gives_the_same_figures(awf, saved):
    proven = awf("verify", "--json").json["proven"]

    data = saved.path.read_bytes()
    assert proven == {"bytes": len(data), "lines": data.count(b"\n"), "turns": 2, "turnsFromVault": 2}


@pytest.mark.usefixtures("saved")
def test_a_finding_is_one_line_with_file_and_remedy_and_repair_mends_it(awf, workspace):
    path = workspace.context / "conversations/sessions/session-001/turn-001.md"
    path.write_text("edited")

    answer = awf("verify")

    assert answer.code == 1
    line = next(line for line in answer.out.splitlines() if line.startswith("✗"))
    assert workspace.layout.relative(path) in line
    assert "→ awf-archive repair" in line
    assert awf("verify", "--json").json["findings"][0]["code"] == "turn"
    assert awf("repair").code == 0
    assert awf("verify").code == 0
    assert awf("repair", "--json").json == {"repaired": [], "left": []}


@pytest.mark.parametrize(("lang", "more"), [("en", "and 1 more"), ("vi", "1 file nữa"), ("zh", "另外 1 个")])
def test_what_the_vault_holds_less_of_is_a_note_and_no_finding(awf, workspace, talk, lang, more):
    talk.ask("a long one", "first", "second")
    workspace.save(talk.asks(2))
    assert awf("checkpoint", "--transcript", talk.write(records=2), "--feature", "login").code == 0

    answer = awf("verify", "--lang", lang)

    assert answer.code == 0
    notes = [line for line in answer.out.splitlines() if line.startswith("·")]
    assert "turn-001.md: The vault holds less of this turn" in notes[0]
    assert more in notes[1]
    told = awf("verify", "--json").json
    assert [one["code"] for one in told["notes"]] == ["shorter", "unproven", "unproven"]
    assert (told["ok"], told["findings"]) == (True, [])


@pytest.mark.usefixtures("saved")
def test_quick_leaves_turns_and_vault_unread(awf):
    proven = awf("verify", "--quick", "--json").json["proven"]

    assert (proven["turns"], proven["bytes"]) == (0, 0)


def test_restore_gives_the_file_back(awf, saved, tmp_path):
    answer = awf("restore", saved.window[:8], "--to", tmp_path / "out", "--json")

    (file,) = answer.json["files"]
    assert file["new"] is True
    assert (tmp_path / "out" / saved.path.name).read_bytes() == saved.path.read_bytes()
    assert awf("restore", "nothing", "--to", tmp_path / "out").code == 1
    assert awf("restore", saved.window).code == 2


@pytest.mark.parametrize("name", ["login/session-001", "session-001"])
def test_restore_takes_a_session_as_list_shows_it(awf, saved, tmp_path, name):
    assert awf("restore", name, "--to", tmp_path / "out").code == 0
    assert (tmp_path / "out" / saved.path.name).read_bytes() == saved.path.read_bytes()
    assert awf("restore", "login/session-009", "--to", tmp_path / "out").code == 1


def test_restore_without_a_vault_says_so(awf):
    answer = awf("restore", "x", "--json")

    assert answer.code == 1
    assert "no vault yet" in answer.error["message"]


@pytest.mark.usefixtures("saved")
def test_backup_and_back(awf, tmp_path, workspace_class):
    written = awf("backup", tmp_path / "all.tar.gz", "--json").json
    other = workspace_class(tmp_path / "other")

    answer = awf("backup", tmp_path / "all.tar.gz", "--restore", "--workspace", other.root, "--json")

    assert answer.json["files"] == written["files"]
    assert awf("verify", "--workspace", other.root).code == 0
    assert awf("backup", tmp_path / "all.tar.gz").code == 2
    (tmp_path / "no.tar.gz").write_bytes(b"no backup")
    assert awf("backup", tmp_path / "no.tar.gz", "--restore").code == 3
