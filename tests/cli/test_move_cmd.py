"""`awf-archive move`: what it says, and that search and the site follow."""

import json
import re

import pytest


@pytest.fixture
def saved(awf, workspace, talk):
    """Six turns under `login`, found by search."""
    workspace.save(talk.asks(3, "zebra"))
    awf("search", "zebra")
    return talk


def test_it_says_the_new_numbers_and_show_leads_on(saved, awf):
    done = awf("move", saved.window, "--to", "block-user")

    assert (done.code, done.err) == (0, "")
    assert "block-user as turns 1–3" in done.out
    shown = awf("show", "login#2")
    assert (shown.code, shown.out.split("\n", 1)[0][:16]) == (0, "━━ block-user#2 ")


def test_a_program_gets_numbers_and_pointers(saved, awf):
    done = awf("move", saved.window[:13], "--to", "block-user", "--json").json

    assert done == {
        "window": saved.window,
        "from": "login",
        "to": "block-user",
        "globalRange": [1, 3],
        "pointers": [{"turnRange": [1, 3], "feature": "block-user", "start": 1}],
    }


def test_search_finds_the_turns_where_they_are_now(saved, awf):
    awf("move", saved.window, "--to", "block-user")

    hits = awf("search", "zebra", "--json").json["hits"]

    assert {(hit["feature"], hit["turn"]) for hit in hits if hit["kind"] == "turn"} == {
        ("block-user", 1),
        ("block-user", 2),
        ("block-user", 3),
    }
    assert not [hit for hit in hits if "specs/login/" in hit["path"]]


def test_resume_tells_the_moved_turns_under_the_new_feature_only(saved, awf):
    awf("move", saved.window, "--to", "block-user")

    assert "zebra" in awf("resume", "block-user").out
    assert "zebra" not in awf("resume", "login").out


def test_old_links_of_the_site_lead_to_the_moved_turns(saved, awf, workspace):
    awf("move", saved.window, "--to", "block-user")

    assert awf("site", "build").code == 0

    page = (workspace.root / ".awf-archive/site/t/index.html").read_text(encoding="utf-8")
    table = json.loads(re.search(r'data-awf="turns">(.*?)</script>', page, re.DOTALL)[1])
    assert table["login"] == table["block-user"] == [[1, 3, "features/block-user/session-001"]]


def test_verify_is_content_afterwards(saved, awf):
    awf("move", saved.window, "--to", "block-user")

    found = awf("verify")

    assert found.code == 0, found.out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        pytest.param(("ffff", "--to", "x"), 1, "no feature holds this window", id="unknown window"),
        pytest.param(("0000aaaa", "--to", "login"), 2, "is in login already", id="there already"),
        pytest.param(("0000aaaa", "--to", "a/b"), 2, "path separator", id="unsafe name"),
        pytest.param(("0000aaaa",), 2, "--to", id="no target"),
    ],
)
@pytest.mark.usefixtures("saved")
def test_what_cannot_be_moved_is_said(awf, words, code, said):
    answer = awf("move", *words)

    assert (answer.code, answer.out) == (code, "")
    assert said in answer.err


@pytest.mark.parametrize("name", ["login/session-001", "login session-001", "session-001"])
def test_a_session_as_list_shows_it_names_its_conversation(saved, awf, name):
    done = awf("move", name, "--to", "block-user", "--json").json

    assert (done["window"], done["from"], done["globalRange"]) == (saved.window, "login", [1, 3])


@pytest.mark.usefixtures("saved")
def test_a_session_that_several_features_hold_is_asked_for_by_feature(awf, workspace, talk_class, tmp_path):
    other = talk_class(tmp_path / "other.jsonl", "0000bbbb-1111-4111-8111-00000000000b").asks(1)
    workspace.save(other, feature="pay")

    refused = awf("move", "session-001", "--to", "block-user", "--json")

    assert refused.code == 2
    assert refused.error["hint"] == "Say which: login/session-001"
    assert awf("move", "pay/session-001", "--to", "block-user", "--json").json["window"] == other.window
    assert [one["feature"] for one in awf("list", "--json").json["sessions"]] == ["block-user", "login"]


@pytest.mark.parametrize(
    ("name", "code"), [("login/session-009", 1), ("session-009", 1), ("nowhere/session-001", 1)]
)
@pytest.mark.usefixtures("saved")
def test_a_session_that_is_not_there(awf, name, code):
    assert awf("move", name, "--to", "block-user").code == code


@pytest.mark.usefixtures("saved")
def test_a_session_that_is_in_its_place_already(awf):
    assert "is in login already" in awf("move", "login/session-001", "--to", "login").err
