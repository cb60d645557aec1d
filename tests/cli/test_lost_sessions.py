"""A session's folder, its metadata or a whole feature is gone: what `list`, `checkpoint` and `repair` say and do."""

import shutil

import pytest

SESSION = "conversations/sessions/session-001"


@pytest.fixture
def saved(awf, talk):
    """Two sessions of one conversation."""
    for _ in range(2):
        assert awf("checkpoint", "--transcript", talk.asks(2).write(), "--feature", "login").code == 0
    return talk


@pytest.fixture(params=["metadata.json", "folder", "broken"])
def lost(request, saved, workspace):
    """One of them is lost."""
    path = workspace.context / SESSION
    if request.param == "folder":
        shutil.rmtree(path)
    elif request.param == "broken":
        (path / "metadata.json").write_bytes(b"{")
    else:
        (path / request.param).unlink()
    return saved


@pytest.mark.usefixtures("lost")
@pytest.mark.parametrize(("lang", "word"), [("en", "missing"), ("vi", "bị mất"), ("zh", "丢失")])
def test_list_names_what_is_lost_and_shows_the_rest(awf, lang, word):
    answer = awf("list", "--lang", lang)

    assert answer.code == 3
    (warning,) = answer.err.splitlines()
    assert "login/session-001" in warning
    assert "#1-2" in warning
    assert word in warning
    assert "awf-archive repair" in warning
    assert "session-002" in answer.out


@pytest.mark.usefixtures("lost")
def test_list_tells_programs_too(awf):
    answer = awf("list", "--json")

    told = answer.json
    assert answer.code == 3
    assert [one["session"] for one in told["sessions"]] == ["session-002"]
    (lost,) = told["lost"]
    assert (lost["feature"], lost["session"], lost["globalRange"]) == ("login", "session-001", [1, 2])
    assert "metadata.json" in lost["message"]
    assert lost["remedy"] == "awf-archive repair"


@pytest.mark.usefixtures("lost")
def test_what_verify_and_checkpoint_name_does_it(awf, talk):
    assert "awf-archive repair" in awf("verify").out
    refused = awf("checkpoint", "--transcript", talk.asks(1).write(), "--feature", "login")
    assert refused.code == 3
    assert "awf-archive repair" in refused.err

    repaired = awf("repair")

    assert repaired.code == 0
    assert "session-001: made anew from the vault, 2 turns" in repaired.out
    done = awf("checkpoint", "--transcript", talk.path, "--feature", "login", "--json").json
    assert done["globalRange"] == [5, 5]
    assert awf("verify").code == 0
    assert awf("list", "--json").json["lost"] == []


def test_what_the_vault_does_not_have_is_named_with_where_it_may_be(awf, workspace, talk):
    workspace.save(talk.asks(3), feature="login")
    assert awf("checkpoint", "--transcript", talk.write(records=2), "--feature", "login").code == 0
    shutil.rmtree(workspace.context / SESSION)

    answer = awf("repair")

    line = next(line for line in answer.out.splitlines() if line.startswith("✗"))
    assert "login/.context/conversations/sessions/session-001" in line
    assert "git or a backup" in line
    assert f"awf-archive restore {talk.window} --to FOLDER" in line
    assert "0 things mended" in answer.out
    assert [one["code"] for one in awf("repair", "--json").json["left"]] == ["missing"]


@pytest.mark.parametrize("command", ["verify", "repair"])
def test_a_whole_feature_that_is_gone_is_named_with_what_brings_it_back(
    awf, saved, workspace, tmp_path, command
):
    before = workspace.turns()
    shutil.rmtree(workspace.layout.spec("login"))
    assert f"awf-archive checkpoint --transcript {saved.path}" in awf(command).out
    saved.path.unlink()

    said = awf(command).out

    assert f"4 turns of {saved.window} are in the vault and not in the archive." in said
    assert f"awf-archive restore {saved.window} --to FOLDER" in said
    assert awf("restore", saved.window, "--to", tmp_path / "back").code == 0
    again = ("checkpoint", "--transcript", tmp_path / "back" / saved.path.name, "--feature", "login")
    assert awf(*again).code == 0
    assert workspace.turns() == before
    assert awf("repair", "--json").json["left"] == []
