"""A worker that gives up is not silent: what is not saved, why, and the command that saves it by hand."""

import json
import shlex

import pytest

from awf_archive.domain.wording.damage_words import DAMAGE_WORDS
from awf_archive.integrations.worker import MOST_TRIES

MANIFEST = ".claude/spec-workflow/specs/general/.context/manifest.json"


@pytest.fixture
def damaged(tool, conversation):
    """A workspace whose manifest does not read, so that nothing can be saved in it."""
    conversation.asks(1).write()
    tool.let_worker_in()
    assert tool.run("checkpoint").code == 0
    whole = (tool.root / MANIFEST).read_bytes()
    (tool.root / MANIFEST).write_bytes(b"{")
    conversation.asks(2).write()
    tool.keep_worker_away()
    return whole


def work(tool, tries=0):
    """Let a worker try what waits, for the last time where `tries` says so."""
    tool.let_worker_in()
    for path in (tool.private / "queue").glob("*.json"):
        path.write_text(json.dumps(json.loads(path.read_bytes()) | {"tries": tries}))
    return tool.run("worker", "run")


@pytest.mark.usefixtures("damaged")
def test_worker_run_tells_why_something_still_waits(tool):
    tool.fire("SessionEnd", reason="clear")

    done = work(tool)

    assert "1 waiting" in done.out
    assert "manifest.json" in done.out
    assert f"checkpoint --transcript {tool.transcript}" in done.out
    assert "manifest.json" in json.loads(tool.run("worker", "status", "--json").out)["jobs"][0]["reason"]


@pytest.mark.usefixtures("damaged")
@pytest.mark.parametrize("language", sorted(DAMAGE_WORDS))
@pytest.mark.parametrize("command", ["status", "doctor"])
def test_what_was_given_up_is_named_with_its_reason_and_the_command(tool, command, language):
    tool.fire("SessionEnd", reason="clear")
    work(tool, tries=MOST_TRIES - 1)

    done = tool.run(command, "--lang", language)

    words = DAMAGE_WORDS[language]
    assert words.gave_up.split("{")[0] in done.out
    assert "manifest.json: " in done.out
    assert (
        words.save_by_hand.format(command=f"awf-archive checkpoint --transcript {tool.transcript}")
        in done.out
    )
    assert done.code == (0 if command == "status" else 1)


@pytest.mark.usefixtures("damaged")
def test_the_next_prompt_tells_of_it_once(tool):
    tool.fire("SessionEnd", reason="clear")
    work(tool, tries=MOST_TRIES - 1)
    tool.keep_worker_away()

    told = [tool.fire("UserPromptSubmit", prompt="go on").json for _ in range(2)]

    assert "awf-archive status" in told[0]["systemMessage"]
    assert told[1] == {}


def test_what_was_saved_by_hand_since_is_no_longer_told(tool, damaged):
    tool.fire("SessionEnd", reason="clear")
    work(tool, tries=MOST_TRIES - 1)
    (lost,) = json.loads(tool.run("status", "--json").out)["unsaved"]
    assert (lost["window"], lost["givenUp"], lost["tries"]) == (tool.window, True, MOST_TRIES)
    (tool.root / MANIFEST).write_bytes(damaged)

    assert tool.run(*shlex.split(lost["command"])[1:]).code == 0

    assert json.loads(tool.run("status", "--json").out)["unsaved"] == []
    assert json.loads(tool.run("doctor", "--json").out)["unsaved"] == []


@pytest.mark.usefixtures("damaged")
def test_of_a_save_without_its_conversation_status_does_not_say_that_it_was_saved(tool):
    tool.fire("UserPromptSubmit", prompt="bye")
    work(tool)
    assert tool.state()["context_checkpoints"][-1]["trigger"] == "user_leaving"

    done = tool.run("status", "--lang", "en")

    assert "user_leaving)" not in done.out
    assert DAMAGE_WORDS["en"].state_only in done.out
    assert json.loads(tool.run("status", "--json").out)["lastSave"]["stateOnly"] is True


def test_a_work_state_that_cannot_be_written_does_not_keep_the_conversation_from_being_saved(
    tool, conversation, monkeypatch
):
    conversation.asks(2).write()
    (tool.root / ".brain").write_text("a file where the folder should be")
    tool.fire("UserPromptSubmit", prompt="bye")
    monkeypatch.setattr("awf_archive.services.autosave_disk.PAUSES", ())
    tool.let_worker_in()

    run_here(tool)

    held = json.loads((tool.root / MANIFEST).read_bytes())
    assert held["recentSessions"][0]["globalRange"] == [1, 2]
    (lost,) = json.loads(tool.run("status", "--json").out)["unsaved"]
    assert lost["command"] == "awf-archive autosave manual"
    assert ".brain" in lost["reason"]


def run_here(tool):
    """Run a worker in this process, without its pauses."""
    from awf_archive import config
    from awf_archive.integrations.worker import run
    from awf_archive.integrations.worker_jobs import Site
    from awf_archive.store.layout import Layout

    site = Site(
        layout=Layout(root=tool.root),
        settings=config.load(tool.root),
        language="en",
        vaults=tool.home / "data/vault",
        folder_of=lambda _tool: tool.home / "claude",
    )
    run(site, sleep=lambda _seconds: None)


@pytest.mark.parametrize("data", [b"", b'{"decisions": ['], ids=["empty", "cut in half"])
def test_a_hook_saves_the_turns_whatever_decisions_json_is(tool, conversation, data):
    path = (tool.root / MANIFEST).with_name("decisions.json")
    conversation.ask("Which database?", "Decision: we use SQLite.")
    conversation.write()
    tool.let_worker_in()
    assert tool.run("checkpoint").code == 0
    path.write_bytes(data)
    conversation.asks(1).write()
    tool.keep_worker_away()
    tool.fire("SessionEnd", reason="clear")

    done = work(tool)

    assert "0 waiting" in done.out
    held = json.loads((tool.root / MANIFEST).read_bytes())["recentSessions"]
    assert held[-1]["globalRange"][1] == 2
    assert path.read_bytes() == data
    assert "decisions.json" in tool.log()


@pytest.mark.usefixtures("damaged")
def test_the_bytes_of_what_was_given_up_are_in_the_vault(tool):
    tool.fire("SessionEnd", reason="clear")
    work(tool, tries=MOST_TRIES - 1)
    tool.transcript.rename(tool.home / "before.jsonl")

    done = tool.run("restore", tool.window, "--to", str(tool.home / "back"))

    assert done.code == 0
    (back,) = (tool.home / "back").rglob("*.jsonl")
    assert back.read_bytes() == (tool.home / "before.jsonl").read_bytes()
