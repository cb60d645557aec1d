"""An archive sent to a team, asked by others: what goes, what stays, and what happens when something is away."""

import json
import logging
import shutil

import pytest

from awf_archive import config
from awf_archive.integrations.worker_team import feed_team
from awf_archive.search.opensearch.client import Access, connect
from awf_archive.search.opensearch.places import Places
from awf_archive.search.opensearch.walk import walk
from awf_archive.services import team as service

SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"  # noqa: S105 - looks like one, and is none


@pytest.fixture
def index_name(request):
    return f"it-{abs(hash(request.node.name)) % 10**9}"


@pytest.fixture
def team(cluster, tmp_path, index_name):
    """Set a team up in the user's own settings; return what changes them."""
    path = tmp_path / "home/config/awf-archive.toml"

    def write(**more):
        given = {
            "url": list(cluster.hosts),
            "index_name": index_name,
            "archive": "acme/shop",
            "author": "Linh",
        }
        given |= {"seconds": 30} | more
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = (f"{name} = {json.dumps(value)}" for name, value in given.items())
        path.write_text("\n".join(["[team]", *lines]), encoding="utf-8")

    write()
    return write


@pytest.fixture
def stored(client, index_name):
    """Everything that the cluster holds for this test, as text."""

    def found():
        client.indices.refresh(index=f"{index_name}*", params={"allow_no_indices": "true"})
        return [hit["_source"] for hit in walk(client, f"{index_name}*", {"match_all": {}})]

    return found


@pytest.fixture
def saved(workspace, talk):
    talk.ask("hàng đợi nằm trong Postgres, hạ tầng càng ít càng tốt", answer="Vâng.")
    workspace.save(talk)
    return talk


@pytest.mark.usefixtures("saved")
def test_what_was_said_is_found_with_who_said_it_and_where_it_is_readable(awf, team):
    team(site="https://chats.example/{archive}/{page}")
    assert awf("team", "push").code == 0

    answer = awf("search", "--scope", "team", "ha tang", "--json").json

    (hit,) = answer["hits"]
    assert (hit["archive"], hit["author"], hit["feature"], hit["turn"]) == ("acme/shop", "Linh", "login", 1)
    assert hit["url"] == "https://chats.example/acme/shop/features/login/session-001/#turn-001"
    assert "hạ tầng" in hit["snippet"]
    assert (answer["partial"], answer["away"]) == (False, None)
    assert "by Linh" in awf("recap", "--scope", "team", "ha tang", "--lang", "en").out


@pytest.mark.usefixtures("team")
def test_a_second_push_sends_nothing_and_a_grown_session_only_what_is_new(awf, workspace, saved):
    first = awf("team", "push", "--json").json
    second = awf("team", "push", "--json").json
    workspace.save(saved.asks(2), extend=True)
    third = awf("team", "push", "--json").json

    assert [first["documents"], second["documents"], third["documents"]] == [1, 0, 2]
    assert awf("team", "status", "--json").json | {"hosts": []} == {
        "archive": "acme/shop",
        "index": first["index"],
        "hosts": [],
        "waiting": 0,
        "sent": 3,
        "there": 3,
        "away": None,
        "lastPush": awf("team", "status", "--json").json["lastPush"],
        "nextTry": None,
        "problem": None,
    }


def test_secrets_are_masked_and_tools_and_thinking_stay_unless_asked_for(awf, workspace, talk, team, stored):
    talk.user(f"my token is {SECRET}")
    talk.reply({"type": "thinking", "thinking": "a hidden thought", "signature": "x"}, "noted")
    talk.call("Bash", {"command": "ls"}, f"listing {SECRET}")
    talk.reply("done")
    workspace.save(talk)

    awf("team", "push")
    plain = json.dumps(stored())
    team(send=["tools", "thinking"])
    awf("team", "push")
    more = json.dumps(stored())

    assert "REDACTED" in plain
    assert "hidden thought" not in plain
    assert "listing" not in plain
    assert "hidden thought" in more
    assert "listing" in more
    assert SECRET not in plain + more


@pytest.mark.usefixtures("team")
def test_a_moved_conversation_is_found_in_its_new_place_only(awf, saved):
    awf("team", "push")
    awf("move", saved.window, "--to", "queue")

    awf("team", "push")

    hits = awf("search", "--scope", "team", "postgres", "--json").json["hits"]
    assert {hit["feature"] for hit in hits} == {"queue"}


@pytest.mark.usefixtures("saved")
def test_an_archive_that_goes_to_another_index_leaves_nothing_in_the_old_one(awf, team, stored, index_name):
    awf("team", "push")
    assert stored()
    team(index_name=f"other-{index_name}")

    awf("team", "push")

    assert stored() == []
    assert awf("search", "--scope", "team", "postgres", "--json").json["total"] == 1


@pytest.mark.usefixtures("team")
def test_an_older_clone_does_not_put_an_older_turn_in_a_newer_ones_place(awf, workspace, talk, stored):
    talk.ask("one question", answer="short")
    workspace.save(talk)
    clone = (workspace.layout.archive, workspace.root.parent / "clone")
    shutil.copytree(workspace.root, clone[1])
    talk.reply("and the rest of the answer")
    workspace.save(talk, extend=True)
    awf("team", "push")

    assert awf("team", "push", "--workspace", clone[1]).code == 0

    assert "the rest of the answer" in json.dumps(stored())


@pytest.mark.usefixtures("saved", "team")
def test_reindex_makes_the_cluster_hold_exactly_the_archive(awf, workspace, stored, client, index_name):
    awf("team", "push")
    (one,) = stored()
    place = next(iter(client.indices.get_alias(index=f"{index_name}-v*")))
    client.index(index=place, id="f" * 32, body=one | {"uid": "f" * 32}, refresh=True)
    client.delete(index=place, id=one["uid"], refresh=True)
    (service.feed_folder(workspace.layout) / "feed.sqlite").unlink()

    awf("team", "reindex")

    assert [source["uid"] for source in stored()] == [one["uid"]]


@pytest.mark.usefixtures("saved")
def test_when_the_cluster_is_away_this_workspace_answers_and_says_so(awf, team):
    team(url=["http://127.0.0.1:9"], seconds=1)

    pushed = awf("team", "push", "--json")
    answer = awf("search", "--scope", "team", "ha tang", "--json")
    status = awf("team", "status", "--json")

    assert (pushed.code, pushed.error["kind"]) == (1, "cluster")
    assert answer.json["total"] == 1
    assert "no answer" in answer.json["away"]
    assert "this workspace alone" in awf("search", "--scope", "team", "ha tang", "--lang", "en").err
    assert (status.json["waiting"], status.json["there"]) == (1, None)
    assert status.json["nextTry"]


@pytest.mark.usefixtures("saved", "team")
def test_an_answer_without_a_lost_shard_is_said_to_be_partial(awf, client, index_name):
    awf("team", "push")
    nowhere = {"index.routing.allocation.require._name": "nowhere"}
    lost = {"settings": nowhere, "aliases": {index_name: {}}}
    client.indices.create(index=f"{index_name}-v0-lost", body=lost, params={"wait_for_active_shards": "0"})

    answer = awf("search", "--scope", "team", "ha tang", "--json", "--lang", "en")
    client.indices.delete(index=f"{index_name}-v0-lost")

    assert (answer.json["total"], answer.json["partial"]) == (1, True)
    assert "only a part" in answer.err.lower()


@pytest.mark.usefixtures("saved")
def test_a_team_set_up_by_a_cloned_repository_does_not_count(awf, workspace, cluster):
    (workspace.root / "awf-archive.toml").write_text(f'[team]\nurl = ["{cluster.hosts[0]}"]\n')

    answer = awf("team", "push")

    assert "names a host and is ignored" in answer.err
    assert answer.code == 2


@pytest.mark.usefixtures("workspace", "saved", "team")
def test_credentials_are_sent_and_stand_nowhere(awf, monkeypatch, caplog, tmp_path):
    monkeypatch.setenv("AWF_ARCHIVE_TEAM_API_KEY", "k3y-of-linh")
    caplog.set_level(logging.DEBUG)

    answers = [
        awf("team", "push"),
        awf("team", "status"),
        awf("config"),
        awf("search", "--scope", "team", "redis"),
    ]

    said = "".join(answer.out + answer.err for answer in answers) + caplog.text
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert "k3y-of-linh" not in said
    assert b"k3y-of-linh" not in files
    sent = connect(Access(("http://127.0.0.1:9",), api_key="k3y-of-linh")).transport.get_connection().headers
    assert sent["authorization"] == "ApiKey k3y-of-linh"


@pytest.mark.parametrize(
    ("url", "said"),
    [("http://search.example:9200", "not encrypted"), ("https://me:pw@search.example", "password in it")],
)
@pytest.mark.usefixtures("saved")
def test_an_address_that_would_show_what_is_sent_is_refused(awf, team, url, said):
    team(url=[url])

    answer = awf("team", "push")

    assert answer.code == 2
    assert said in answer.err
    assert "pw" not in answer.err.replace("password", "")


@pytest.mark.usefixtures("awf", "saved", "team")
def test_a_checkpoint_neither_waits_nor_fails_and_a_worker_sends_what_it_saved(workspace, stored):
    settings = config.load(workspace.root)

    feed_team(workspace.layout, settings)

    assert len(stored()) == 1
    assert service.status(workspace.layout, settings.team).waiting == 0


def test_another_teams_index_with_a_name_like_ours_is_none_of_ours(client):
    client.indices.create(index="like-vn-v1.1-2026.03", body={"aliases": {"like-vn": {}}})

    assert Places(client, "like", 1).all == ()
    assert Places(client, "like-vn", 1).all == ("like-vn-v1.1-2026.03",)
