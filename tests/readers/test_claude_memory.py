"""Memory is bounded by the largest turn, not by the file."""

import json
import tracemalloc

from records import Session
from sources import PathSource

from awf_archive.readers.claude_code import reader as claude_code

MEGABYTE = 1 << 20


def write_large_session(path, megabytes):
    session = Session()
    with path.open("wb") as file:
        while file.tell() < megabytes * MEGABYTE:
            session.records.clear()
            session.user("question " * 20)
            for number in range(8):
                call = f"toolu_{file.tell()}_{number}"
                session.call("Read", call, {"file_path": "/srv/demo/a.py"})
                session.result(call, "line of a file\n" * 400)
            session.say("answer " * 40)
            for record in session.records:
                file.write(json.dumps(record).encode() + b"\n")


def test_reading_sixty_megabytes_takes_a_fraction_of_it(tmp_path):
    path = tmp_path / "large.jsonl"
    write_large_session(path, 60)
    tracemalloc.start()

    transcript = claude_code.read(PathSource(path))
    held, peak = tracemalloc.get_traced_memory()
    turns = [transcript.load(outline) for outline in transcript.outlines[::100]]
    _, peak_with_turns = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert len(transcript.outlines) > 900
    assert all(len(turn.assistant) == 9 for turn in turns[:-1])
    assert held < 8 * MEGABYTE
    assert max(peak, peak_with_turns) < 16 * MEGABYTE


def test_one_line_of_twelve_megabytes_is_whole(tmp_path):
    session = Session()
    session.user("big output please")
    session.call("Bash", "t1", {})
    session.result("t1", "y" * (12 * MEGABYTE) + " NEEDLE")
    session.say("done")
    path = tmp_path / "line.jsonl"
    path.write_bytes(session.bytes())

    transcript = claude_code.read(PathSource(path))
    turn = transcript.load(transcript.outlines[0])

    assert turn.assistant[0].result.blocks[0].text.endswith("y NEEDLE")
    assert turn.assistant[1].text == "done"
