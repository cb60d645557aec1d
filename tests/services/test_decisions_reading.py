"""Turns are given to a reader, and its answer is taken into `decisions.json` (SPEC 1.8)."""

import json
import sys

import pytest

from awf_archive.config import SummaryCommand, summary_environment
from awf_archive.domain.decisions import Found, Status
from awf_archive.domain.decisions.joining import Shown, joined
from awf_archive.services.decisions_changes import Edit, change, edit
from awf_archive.services.decisions_harvest import harvest_feature
from awf_archive.services.decisions_reading import requested, take
from awf_archive.services.decisions_reading_command import Reader, read_by_command
from awf_archive.services.redacted_archive import redacted

NOW = "2026-03-06T10:00:00Z"


def said(turn, text, evidence, **more):
    entry = {
        "turn": f"login#{turn}",
        "text": text,
        "by": "user",
        "status": "accepted",
        "evidence": evidence,
    }
    return json.dumps(entry | more, ensure_ascii=False)


@pytest.fixture
def talked(workspace, talk):
    """Three turns, and one proposal that rules found in the second: D-001."""
    talk.ask("the agent itself is driving the browser", answer="Playwright is a fallback then.")
    talk.ask("my key is ghp_" + "a1B2" * 9 + " by the way", answer="It is for tests only.")
    talk.ask("thanks", answer="You are welcome.")
    workspace.save(talk)
    found = Found(
        text="a key",
        by="user",
        found_by="statement",
        evidence="my key",
        status=Status.PROPOSED,
        confidence=0.5,
    )
    change(
        workspace.archive,
        "login",
        lambda _: joined((), [Shown(found=found, session="session-001", turn=2)], "login"),
    )
    return workspace


def decisions(workspace):
    return {one.id: one for one in workspace.archive.all_decisions("login")}


def test_what_a_reader_found_is_recorded_at_its_turn_once(talked):
    answer = said(1, "the agent itself drives the browser", "the agent itself is driving the browser")

    first = take(redacted(talked.layout), answer)
    again = take(redacted(talked.layout), answer)

    (one,) = first.added
    assert (one.turn, one.session, one.status, one.found_by) == (1, "session-001", Status.PROPOSED, "reading")
    assert one.evidence == "the agent itself is driving the browser"
    assert (again.added, [one.id for one in again.known], again.refused) == ([], [one.id], [])
    assert [entry.text for entry in decisions(talked).values()].count(one.text) == 1


def test_lines_are_taken_or_refused_each_by_itself(talked):
    answer = "\n".join(
        (
            said(1, "Playwright is a fallback", "is a fallback", by="assistant", status="proposed"),
            said(1, "the agent drives the browser", "the agent drives it, I think"),
            said(9, "the agent drives the browser", "driving the browser"),
            json.dumps({"turn": "other#1", "text": "x"}),
            "Hope this helps!",
        )
    )

    done = take(redacted(talked.layout), answer)

    assert [one.text for one in done.added] == ["Playwright is a fallback"]
    assert [one.line for one in done.refused] == [2, 3, 4, 5]


def test_proposals_are_confirmed_in_better_words_or_dismissed_and_no_harvest_undoes_it(talked):
    proposal = decisions(talked)["D-001"]
    no = json.dumps({"turn": "login#2", "id": proposal.id, "decision": False})

    done = take(redacted(talked.layout), no)
    harvest_feature(talked.archive, "login", NOW)

    assert [one.id for one in done.dismissed] == [proposal.id]
    assert decisions(talked)[proposal.id].status is Status.REJECTED

    take(redacted(talked.layout), said(2, "a key by the way", "my key", id=proposal.id))
    assert decisions(talked)[proposal.id].status is Status.ACCEPTED


@pytest.mark.parametrize(
    ("text", "status"), [("my key by the way", Status.ACCEPTED), ("for tests only", Status.PROPOSED)]
)
def test_a_proposal_that_a_later_turn_agrees_to_is_accepted_if_its_own_words_say_it(talked, text, status):
    done = take(redacted(talked.layout), said(3, text, "thanks", id="D-001"))

    assert done.refused == []
    assert [(one.id, one.status, one.turn, one.also) for one in done.confirmed] == [
        ("D-001", status, 2, (3,))
    ]


def test_what_was_dismissed_does_not_come_back_in_other_words(talked):
    take(redacted(talked.layout), json.dumps({"turn": "login#2", "id": "D-001", "decision": False}))

    done = take(redacted(talked.layout), said(2, "a key", "my key"))

    assert (done.added, [one.id for one in done.known]) == ([], ["D-001"])
    again = take(redacted(talked.layout), json.dumps({"turn": "login#2", "id": "D-001", "decision": False}))
    assert again.refused == []


def test_what_a_person_changed_stays(talked):
    proposal = decisions(talked)["D-001"]
    edit(talked.archive, "login", proposal.id, Edit(text="tests have a key of their own"))

    take(redacted(talked.layout), said(2, "the key is for tests only", "for tests only", id=proposal.id))

    assert decisions(talked)[proposal.id].text == "tests have a key of their own"


def test_a_request_holds_no_secret_and_names_what_is_known_and_what_is_left(talked):
    proposal = decisions(talked)["D-001"]

    whole = requested(redacted(talked.layout), "login", (1, 3))
    first = requested(redacted(talked.layout), "login", (1, 3), most=100)

    assert "ghp_" not in whole.text
    assert f"Known: {proposal.id} (proposed)" in whole.text
    assert (whole.turns, whole.rest) == ((1, 3), None)
    assert (first.turns, first.rest) == ((1, 1), (2, 3))
    assert "login#2" not in first.text
    assert requested(redacted(talked.layout), "login", (50, 60)) is None


def test_the_turn_before_is_there_to_understand_an_agreement_by(talked):
    told = requested(redacted(talked.layout), "login", (2, 3))

    assert "## login#1 (before)" in told.text
    assert "driving the browser" in told.text
    assert told.turns == (2, 3)


def test_a_proposal_that_is_confirmed_as_turned_down_is_no_dismissal(talked):
    answer = said(2, "no key by the way", "my key is", id="D-001", status="rejected")

    done = take(redacted(talked.layout), answer)

    assert [one.status for one in done.confirmed] == [Status.REJECTED]
    assert done.dismissed == []


ANSWERS = """
import sys
asked = sys.stdin.read()
if "## login#1\\n" in asked:
    print('{"turn":"login#1","text":"the agent drives the browser","by":"user","status":"accepted",'
          '"reason":"","evidence":"driving the browser"}')
else:
    sys.exit("no credit left")
"""


def test_a_command_reads_request_by_request_and_a_failed_one_loses_none_of_the_others(talked):
    command = SummaryCommand(command=(sys.executable, "-c", ANSWERS), max_bytes=100)
    reader = Reader(command=command, environment=summary_environment())
    seen = []

    done = read_by_command(
        redacted(talked.layout), "login", (1, 3), reader, lambda *counts: seen.append(counts)
    )

    assert [one.text for one in done.taken.added] == ["the agent drives the browser"]
    assert [problem.partition(":")[0] for problem in done.failed] == ["login#2–2", "login#3–3"]
    assert "no credit left" in done.failed[0]
    assert seen == [(1, 3), (2, 3), (3, 3)]
