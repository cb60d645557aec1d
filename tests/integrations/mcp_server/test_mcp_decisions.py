"""The tools `list_decisions` and `record_decision`, asked by the SDK's own client."""

import pytest


@pytest.fixture
def here(workspace, tmp_path):
    """A workspace and a home of its own."""
    return workspace, tmp_path / "home"


def test_what_is_recorded_is_listed_searched_and_never_twice(here, connect, talk):
    workspace, home = here
    workspace.save(talk.asks(2))
    with connect(workspace.root, home) as asker:
        first = asker.call(
            "record_decision",
            text="dùng SQLite làm hàng đợi",
            reason="khỏi cần máy chủ",
            options=["Redis", "SQLite"],
        )
        again = asker.call("record_decision", text="Dung SQLite lam hang doi!")
        later = asker.call("record_decision", text="dùng Postgres", supersedes=["d1"], by="assistant")
        standing = asker.call("list_decisions")
        everything = asker.call("list_decisions", status="all", text="hang doi")
        found = asker.call("search", query="hàng đợi sqlite")

    assert first.value["id"] == again.value["id"] == "D-001"
    assert first.value["feature"] == "login"
    assert later.value["supersedes"] == ["D-001"]
    assert [(one["id"], one["status"]) for one in standing.value["decisions"]] == [("D-002", "accepted")]
    assert [(one["id"], one["supersededBy"]) for one in everything.value["decisions"]] == [("D-001", "D-002")]
    assert "> dùng Postgres" in standing.text
    assert "decision" in {one["kind"] for one in found.value["hits"]}
    assert [one.by for one in workspace.archive.decisions("login")] == ["user", "assistant"]


def test_a_later_checkpoint_gives_the_record_its_turn(here, connect, talk):
    workspace, home = here
    workspace.save(talk.asks(1))
    with connect(workspace.root, home) as asker:
        asker.call("record_decision", text="use WAL mode", feature="login")
    talk.user("note it")
    talk.call("mcp__awf-archive__record_decision", {"text": "use WAL mode"}, "Recorded")

    workspace.save(talk)

    (one,) = workspace.archive.decisions("login")
    assert (one.turn, one.found_by) == (2, "command")


def test_pages_follow_one_another(here, connect, workspace, talk):
    _, home = here
    workspace.save(talk.asks(1))
    with connect(workspace.root, home) as asker:
        for word in ("one", "two", "three"):
            asker.call("record_decision", text=f"decision {word}")
        first = asker.call("list_decisions", limit=2)
        second = asker.call("list_decisions", limit=2, cursor=first.value["nextCursor"])

    texts = [one["text"] for page in (first, second) for one in page.value["decisions"]]
    assert sorted(texts) == ["decision one", "decision three", "decision two"]
    assert (first.value["total"], "nextCursor" in second.value) == (3, False)


def test_recording_masks_nothing_that_is_there_already(here, connect, talk):
    workspace, home = here
    key = "sk-ant-api03-" + "Zx9Kq2mB81LpW4vT7cR0yN6dJ3hF5sG" * 2
    workspace.save(talk.asks(1))
    with connect(workspace.root, home) as asker:
        told = asker.call("record_decision", text=f"the key is {key}")
        asker.call("record_decision", text="another")

    assert key not in told.text
    assert workspace.archive.decisions("login")[0].text == f"the key is {key}"


@pytest.fixture(scope="module")
def refusing(tmp_path_factory, workspace_class, talk_class, connect):
    """A workspace and a connection that all refusals share."""
    folder = tmp_path_factory.mktemp("mcp-refusing")
    workspace = workspace_class(folder / "workspace")
    workspace.save(talk_class(folder / "talk.jsonl").asks(1))
    with connect(workspace.root, folder / "home") as asker:
        yield workspace, asker


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("record_decision", {"text": "x"}, "at least 3 characters"),
        ("record_decision", {"text": "use it", "supersedes": ["D-009"]}, "there is no such decision"),
        ("record_decision", {"text": "use it", "feature": "../x"}, "separator"),
        ("list_decisions", {"feature": "nothing"}, "nothing was saved"),
        ("list_decisions", {"status": "good"}, "status"),
    ],
)
def test_wrong_arguments_are_answered_with_what_to_do(refusing, name, arguments, told):
    workspace, asker = refusing

    answer = asker.call(name, **arguments)

    assert answer.is_error
    assert told in answer.text
    assert workspace.archive.decisions("login") == ()
