"""No step costs time that grows with the archive, but reading manifests."""

import io

import pytest


@pytest.fixture
def opened(monkeypatch):
    """Every path that is opened for reading."""
    paths = []
    real = io.open

    def recording(file, mode="r", *arguments, **options):
        if "r" in mode:
            paths.append(str(file))
        return real(file, mode, *arguments, **options)

    monkeypatch.setattr(io, "open", recording)
    return paths


@pytest.fixture
def windows(workspace, talk_class, tmp_path):
    """Four windows that were saved one after another."""
    talks = []
    for number in range(4):
        window = f"0000aaaa-1111-4111-8111-00000000000{number}"
        talk = talk_class(tmp_path / f"{number}.jsonl", window).asks(3, f"window {number}:")
        workspace.save(talk)
        talks.append(talk)
    return talks


def _sessions(paths):
    return {part for path in paths for part in path.split("/") if part.startswith("session-")}


def _turn_files(paths):
    return [path for path in paths if "/turn-" in path]


def test_a_new_window_opens_the_last_session_only_to_see_that_it_is_whole(
    workspace, windows, talk_class, tmp_path, opened
):
    assert windows
    new = talk_class(tmp_path / "new.jsonl", "0000bbbb-1111-4111-8111-00000000000b", clock=500).asks(2)
    new.write()
    opened.clear()

    workspace.save(new.path)

    assert _sessions(opened) <= {"session-004", "session-005"}
    assert _turn_files(opened) == []


@pytest.mark.parametrize("extend", [True, False], ids=["autosave", "by hand"])
def test_a_window_that_goes_on_opens_its_own_sessions_and_none_of_its_turns(
    workspace, windows, opened, extend
):
    talk = windows[1].asks(1)
    talk.write()
    opened.clear()

    workspace.save(talk.path, extend=extend)

    assert _sessions(opened) <= {"session-002", "session-004", "session-005"}
    assert _turn_files(opened) == []


def test_a_chunk_reads_the_turns_of_its_range_and_no_others(workspace, windows, opened):
    workspace.save(windows[0].asks(1), threshold=13)
    talk = windows[1].asks(14)
    talk.write()
    opened.clear()

    done = workspace.save(talk.path, threshold=13)

    assert done.chunk is not None
    chunked = range(done.chunk.turn_range[0], done.chunk.turn_range[1] + 1)
    assert len(_turn_files(opened)) == len(chunked)
