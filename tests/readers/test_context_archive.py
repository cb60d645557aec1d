"""Another archive: the original skill's and ours."""

import json
from contextlib import suppress
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from json_cases import CORPUS, JUNK, prompts, words
from sources import BytesSource, PathSource

from awf_archive.domain import turn_file
from awf_archive.domain.ids import Digest, GlobalTurn, SessionId, TurnId, WindowId
from awf_archive.domain.session import Session, SourceInfo, TurnEntry
from awf_archive.domain.transcript import Attachment, Branch, Outline, Start, Text, Turn
from awf_archive.domain.wording import WORDINGS
from awf_archive.errors import ArchiveError, InputError
from awf_archive.readers import READERS
from awf_archive.readers.context_archive import reader as context_archive

NO = Digest("0" * 64)
IMAGE = Attachment(file="aaaa.png", media_type="image/png", name="a", size=3)


def turn(name, branch=Branch.MAIN):
    outline = Outline(
        id=TurnId(name),
        start=Start.QUEUED,
        time="2026-01-01T10:00:00Z",
        prompt_digest=NO,
        fingerprint=NO,
        branch=branch,
    )
    return Turn(
        outline=outline,
        user=(Text(text=f"prompt {name}"), IMAGE),
        assistant=(Text(text=f"answer {name}"),),
        models=("x",),
    )


def session(number, names, window="w"):
    """Files of one session, by their path in the archive."""
    folder = f"conversations/sessions/session-{number:03d}"
    files, entries = {f"{folder}/attachments/aaaa.png": b"abc"}, []
    for local, name in enumerate(names, 1):
        branch = Branch.ABANDONED if name.startswith("left") else Branch.MAIN
        place = turn_file.Place(
            turn=local, session=SessionId(f"session-{number:03d}"), local=local, format="codex"
        )
        files[f"{folder}/turn-{local:03d}.md"] = turn_file.write(turn(name), place, WORDINGS["vi"])
        entries.append(
            TurnEntry(
                local=local,
                turn=GlobalTurn(local),
                file=f"turn-{local:03d}.md",
                sha256=NO,
                source_id=TurnId(name),
                fingerprint=NO,
                prompt_sha256=NO,
                branch=branch,
            )
        )
    kept = Session(
        session_id=SessionId(f"session-{number:03d}"),
        created_at="2026-01-01T09:00:00Z",
        global_range=(1, len(names)),
        turn_count=len(names),
        phase="",
        title="Tea",
        source=SourceInfo(format="codex", window=WindowId(window), windows=(WindowId(window),)),
        turns=tuple(entries),
    )
    files[f"{folder}/metadata.json"] = json.dumps(kept.to_json()).encode()
    return files


def manifest(*sessions):
    return json.dumps(
        {
            "specId": "demo",
            "lastUpdated": "",
            "turnWatermark": {"lastChunkedTurn": 0, "lastSessionEndTurn": 9},
            "semanticChunks": [],
            "recentSessions": [
                {"sessionId": f"session-{number:03d}", "globalRange": [first, last], "status": "saved"}
                for number, first, last in sessions
            ],
        }
    ).encode()


def archive():
    files = session(1, ["a", "left"]) | session(2, ["b"]) | session(3, ["c"], window="other")
    return BytesSource(manifest((1, 1, 2), (2, 3, 3), (3, 4, 4)), "manifest", files)


def test_sessions_of_one_window_are_one_conversation():
    assert [reader.name for reader in READERS if reader.accepts(archive())] == ["context"]

    first, second = context_archive.read(archive())

    assert (first.windows, second.windows, first.title) == (("w",), ("other",), "Tea")
    assert [(one.id, one.branch, one.start) for one in first.outlines] == [
        ("a", "main", "queued"),
        ("left", "abandoned", "queued"),
        ("b", "main", "queued"),
    ]
    assert prompts([first]) == ["prompt a", "prompt left", "prompt b"]
    assert [one.payloads for one in second.turns()] == [{"aaaa.png": b"abc"}]


def test_a_turn_that_is_missing_or_none_is_reported_and_the_rest_is_read():
    source = archive()
    folder = "conversations/sessions/session-001"
    source.beside[f"{folder}/turn-001.md"] = b"nothing"
    del source.beside["conversations/sessions/session-002/turn-001.md"]

    first, _ = context_archive.read(source)

    assert prompts([first]) == ["prompt left"]
    assert [problem.code for problem in first.problems] == ["missing-turn", "unreadable", "missing-turn"]


def test_a_manifest_away_from_its_turns_is_an_error():
    with pytest.raises(InputError, match="none of the turns"):
        list(context_archive.read(BytesSource(manifest((1, 1, 2)), "manifest")))


def test_an_archive_without_sessions_is_empty():
    [found] = context_archive.read(BytesSource(manifest(), "manifest"))

    assert found.outlines == ()


def test_a_session_cannot_lead_out_of_the_archive():
    value = manifest((1, 1, 1)).replace(b"session-001", b"../../../secret")

    with pytest.raises(InputError):
        list(
            context_archive.read(
                BytesSource(value, "manifest", {"../../../secret/turn-001.md": b"## User\n"})
            )
        )


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_wrong_types_raise_nothing_but_our_own_errors(data):
    source = archive()
    name = data.draw(st.sampled_from(["manifest", "conversations/sessions/session-001/metadata.json"]))
    value = json.loads(source.data if name == "manifest" else source.beside[name])
    value[data.draw(st.sampled_from(sorted(value)))] = deepcopy(data.draw(JUNK))
    text = json.dumps(value).encode()
    if name != "manifest":
        source.beside[name] = text
    changed = BytesSource(text if name == "manifest" else source.data, "manifest", source.beside)

    with suppress(ArchiveError):
        words(context_archive.read(changed))


@pytest.mark.shared
def test_the_original_skills_archive_is_read_whole():
    path = CORPUS / "spec-context" / "01-doc-example-v2" / ".context" / "manifest.json"
    [found] = context_archive.read(PathSource(path))

    assert len(found.outlines) == 10
    assert found.outlines[0].time == "2026-01-30T10:00:00Z"
    assert found.problems == ()
    assert prompts([found])[8] == "把上面的内容写到 design.md"
