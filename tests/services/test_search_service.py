"""What the index reads of the archive: only what is new, each part by itself, no machine noise (issue 5)."""

import json

import pytest

from awf_archive.search.documents import Kind, Part, Request
from awf_archive.services import documents as indexed
from awf_archive.services.index import sync
from awf_archive.services.search import search
from awf_archive.services.search_passages import FoundIn


@pytest.fixture
def read(monkeypatch):
    """Count the turn files that are read."""
    from awf_archive.store.archive import Archive

    real, seen = Archive.turn, []

    def turn(self, feature, session_id, entry):
        seen.append(entry.turn)
        return real(self, feature, session_id, entry)

    monkeypatch.setattr(Archive, "turn", turn)
    return seen


def found(workspace, topic, **options):
    return search(workspace.archive, Request(topic=topic, **options))


def test_a_checkpoint_costs_what_it_brought_not_what_was_there(workspace, talk, read):
    workspace.save(talk.asks(40))
    sync(workspace.archive)
    workspace.save(talk.asks(3))
    read.clear()

    done = sync(workspace.archive)

    assert read == [41, 42, 43]
    assert done.rebuilt == ""


def test_a_current_index_reads_only_the_turns_that_it_shows(workspace, talk, read):
    workspace.save(talk.asks(30))
    sync(workspace.archive)
    read.clear()

    answer = found(workspace, "question", limit=2)

    assert answer.result.total == 30
    assert len(read) == 2


def test_each_part_of_a_turn_is_a_document_and_a_turn_is_one_hit(workspace, talk):
    talk.user("wombat?")
    talk.reply({"type": "thinking", "thinking": "wombat!", "signature": "x"})
    talk.call("Bash", {"command": "echo wombat"}, "wombat", is_error=False)
    talk.reply("wombat.")
    workspace.save(talk)

    keys = indexed.wanted(workspace.archive)
    parts = [one.part for key in keys for one in indexed.documents(workspace.archive, key)]

    assert sorted(parts) == sorted([Part.SAID, Part.TOOLS, Part.THINKING])
    assert found(workspace, "wombat").result.total == 1


def test_machine_noise_is_not_indexed(workspace, talk):
    talk.user("wombat <system-reminder>quokka reminds you</system-reminder>")
    talk.call("Read", {"file_path": "a.png"}, "iVBORw0KGgo" + "QUFBQUFBQUF" * 400)
    workspace.save(talk)

    assert found(workspace, "wombat").result.total == 1
    assert found(workspace, "quokka").result.total == 0
    assert found(workspace, "iVBORw0KGgo*").result.total == 0


@pytest.mark.parametrize(
    ("topic", "place"),
    [
        ("alpha", FoundIn.USER),
        ("bravo", FoundIn.ASSISTANT),
        ("charlie", FoundIn.TOOL_INPUT),
        ("delta", FoundIn.TOOL_OUTPUT),
        ("echo", FoundIn.THINKING),
    ],
)
def test_the_passage_says_where_it_is_from(workspace, talk, topic, place):
    talk.user("alpha")
    talk.reply({"type": "thinking", "thinking": "echo", "signature": "x"})
    talk.call("Bash", {"command": "charlie"}, "delta")
    talk.reply("bravo")
    workspace.save(talk)

    shown = found(workspace, topic).shown[0]

    assert (shown.found_in, shown.snippet.text) == (place, shown.snippet.text.strip())
    assert topic in shown.snippet.text


def test_what_was_said_comes_before_what_a_tool_printed(workspace, talk):
    talk.user("look")
    talk.call("Bash", {"command": "ls"}, "wombat " * 30)
    talk.reply("nothing")
    talk.ask("wombat?", "yes")
    workspace.save(talk)

    assert [one.hit.turn for one in found(workspace, "wombat").shown] == [2, 1]


def test_each_entry_of_the_work_state_is_a_document_of_its_own(workspace, talk):
    workspace.save(talk.asks(1))
    folder = workspace.root / ".brain"
    folder.mkdir()
    state = {
        "updated_at": "2026-03-05T09:00:00Z",
        "decisions_made": [{"decision": "dùng WAL", "reason": "numbat"}, {"decision": "bỏ cron"}],
    }
    (folder / "session.json").write_bytes(json.dumps(state).encode("utf-16"))

    shown = found(workspace, "numbat").shown

    assert [(one.hit.kind, one.hit.id, one.hit.time) for one in shown] == [
        (Kind.STATE, "session.json:decisions_made[1]", "2026-03-05T09:00:00Z")
    ]
    assert found(workspace, "cron", since="2026-03-05", until="2026-03-05").result.total == 1


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\xfe", b'{"a": {"b": []}}'], ids=repr)
def test_a_work_state_that_does_not_read_is_passed_over(workspace, talk, content):
    workspace.save(talk.asks(1))
    (workspace.root / ".brain").mkdir()
    (workspace.root / ".brain/session.json").write_bytes(content)

    assert found(workspace, "question").result.total == 1
