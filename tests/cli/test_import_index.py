"""The search index of an import: made beside it by a second process, left out when asked, always whole at the end."""

import subprocess

import pytest

from awf_archive.cli import import_index

WINDOW = "0000aaaa-1111-4111-8111-0000000000{:02d}"


@pytest.fixture
def chats(talk_class, tmp_path):
    """Six conversations of one folder."""
    folder = tmp_path / "chats"
    for number in range(6):
        window = WINDOW.format(number)
        talk_class(folder / f"{window}.jsonl", window, "/gone/shop", "main").asks(2, f"word{number}").write()
    return folder


@pytest.fixture
def started(monkeypatch):
    """The commands of the processes that an import starts."""
    commands = []
    real = subprocess.Popen

    def popen(command, **options):
        commands.append(command)
        return real(command, **options)

    monkeypatch.setattr(subprocess, "Popen", popen)
    monkeypatch.setattr("awf_archive.cli.import_index._WORTH_IT", 2)
    return commands


def index(awf):
    return awf("index", "status", "--json").json


def test_the_index_is_brought_along_by_a_second_process_and_holds_all_at_the_end(
    awf, chats, started, monkeypatch
):
    monkeypatch.setattr(import_index, "available_processors", lambda: 2)

    assert awf("import", str(chats)).code == 0

    assert started
    assert all(command[2:6] == ["-m", "awf_archive", "index", "update"] for command in started)
    found = index(awf)
    assert (found["health"], found["isCurrent"]) == ("ready", True)
    assert [awf("search", f"word{number}", "--json").json["total"] > 0 for number in range(6)] == [True] * 6


def test_with_one_processor_nothing_is_started(awf, chats, started, monkeypatch):
    monkeypatch.setattr(import_index, "available_processors", lambda: 1)

    assert awf("import", str(chats)).code == 0

    assert started == []
    assert index(awf)["isCurrent"]


def test_no_index_leaves_it_to_the_first_search(awf, chats, started, monkeypatch):
    monkeypatch.setattr(import_index, "available_processors", lambda: 2)

    assert awf("import", str(chats), "--no-index").code == 0

    assert started == []
    assert index(awf)["health"] == "missing"
    assert awf("search", "word3", "--json").json["total"] > 0


def test_a_second_process_that_fails_costs_nothing_but_time(awf, chats, monkeypatch):
    monkeypatch.setattr(import_index, "available_processors", lambda: 2)
    monkeypatch.setattr("awf_archive.cli.import_index._WORTH_IT", 2)
    monkeypatch.setattr("awf_archive.cli.import_index.sys.executable", "/bin/false")

    assert awf("import", str(chats)).code == 0

    assert index(awf)["isCurrent"]


def test_index_update_tells_how_the_index_is_then(awf, chats):
    assert awf("import", str(chats), "--no-index").code == 0

    told = awf("index", "update", "--json").json

    assert (told["health"], told["isCurrent"], told["keys"] > 0) == ("ready", True, True)
