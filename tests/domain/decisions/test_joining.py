"""What joins the list of decisions: never an id twice, nothing lost, the same again changes nothing."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from awf_archive.domain.decisions import Decision, Found, Place, Side, Status
from awf_archive.domain.decisions.joining import Shown, joined, normalised, superseded
from awf_archive.domain.decisions.records import named_id, next_id

_TEXTS = st.sampled_from(
    [
        "Store: SQLite",
        "store – sqlite!",
        "Store: Redis",
        "one lock",
        "ONE LOCK.",
        "Queue: Redis",
        "Hàng đợi: Redis",
    ]
)
_MATTERS = st.sampled_from(["", "Store", "store", "Queue"])


@st.composite
def shown(draw):
    """One thing found, in a turn or a document."""
    turn = draw(st.integers(0, 6))
    path = "" if turn else draw(st.sampled_from(["docs/adr/1.md", "docs/design.md"]))
    found_by = draw(st.sampled_from(["question", "heading", "statement", "plan"]))
    return Shown(
        found=Found(
            text=draw(_TEXTS),
            by=draw(st.sampled_from(["user", "assistant"])),
            found_by=found_by if turn else "document",
            evidence="words",
            place=Place(side=Side.DOCUMENT, path=path) if path else Place(),
            reason=draw(st.sampled_from(["", "which store?"])),
            options=draw(st.sampled_from([(), ("SQLite", "Redis")])),
            call_id=draw(st.sampled_from(["", "call-1", "call-2"])) if turn else "",
            status=draw(st.sampled_from([Status.ACCEPTED, Status.PROPOSED])),
            matter=draw(_MATTERS),
        ),
        session=f"session-{turn:03d}" if turn else "",
        turn=turn,
        date=f"2026-01-{turn + 1:02d}T00:00:00Z",
        is_abandoned=draw(st.booleans()) and turn > 0,
    )


_LISTS = st.lists(shown(), max_size=14)


@given(_LISTS)
def test_harvesting_the_same_again_changes_nothing(found):
    once = joined((), found, "pay")

    assert joined(once, found, "pay") == once


@given(_LISTS, _LISTS)
def test_ids_are_given_once_and_stay(first, second):
    before = joined((), first, "pay")

    after = joined(before, second, "pay")

    assert [one.id for one in after] == [f"D-{number:03d}" for number in range(1, len(after) + 1)]
    assert [(one.id, one.text) for one in after[: len(before)]] == [(one.id, one.text) for one in before]


@given(_LISTS)
def test_nothing_that_was_found_is_lost(found):
    after = joined((), found, "pay")

    words = {normalised(one.text) for one in after}
    assert words == {normalised(one.found.text) for one in found}


@given(_LISTS, st.data())
def test_what_a_person_changed_stays_when_it_is_found_again(found, data):
    once = joined((), found, "pay")
    edited = tuple(
        replace(
            one,
            text=f"by hand {one.id}",
            found_text=one.original,
            status=data.draw(st.sampled_from([Status.REJECTED, Status.ACCEPTED])),
            edited=("text", "status"),
        )
        for one in once
    )

    again = joined(edited, found, "pay")

    assert [(one.id, one.text, one.status) for one in again[: len(edited)]] == [
        (one.id, one.text, one.status) for one in edited
    ]


@given(_LISTS)
def test_links_lead_to_earlier_decisions_that_are_there(found):
    after = joined((), found, "pay")

    for place, one in enumerate(after):
        assert set(one.may_supersede) <= {other.id for other in after[:place]}
        assert one.id not in one.may_supersede


@given(_LISTS)
def test_a_record_reads_back_from_its_file(found):
    for one in joined((), found, "pay"):
        assert Decision.from_json(one.to_json()) == one


def answered(text, turn, *, header="Store", asked="Which store?", options=("SQLite", "Redis"), call=""):
    found = Found(
        text=f"{header}: {text}",
        by="user",
        found_by="question",
        evidence=text,
        reason=asked,
        options=options,
        call_id=call or f"call-{turn}",
        matter=header,
    )
    return Shown(found=found, session="session-001", turn=turn)


def test_another_answer_to_the_same_question_is_proposed_as_superseding():
    first, second = joined((), [answered("SQLite", 1), answered("Redis", 4)], "pay")

    assert (first.status, second.status) == (Status.ACCEPTED, Status.ACCEPTED)
    assert second.may_supersede == ("D-001",)


def test_the_same_header_over_another_question_contradicts_nothing():
    _, second = joined(
        (), [answered("SQLite", 1), answered("blue", 2, asked="Which colour?", options=("blue",))], "pay"
    )

    assert second.may_supersede == ()


def test_the_same_answer_later_is_the_same_decision_said_again():
    (one,) = joined((), [answered("SQLite", 1), answered("sqlite", 5)], "pay")

    assert (one.turn, one.also) == (1, (5,))


def test_going_back_to_the_first_answer_is_a_decision_of_its_own():
    found = [answered("SQLite", 1), answered("Redis", 2), answered("SQLite", 3)]

    first, second, third = joined((), found, "pay")

    assert (third.text, third.may_supersede) == (first.text, (second.id,))


def test_a_copy_of_the_chat_repeats_no_decision():
    (one,) = joined((), [answered("SQLite", 1, call="c"), answered("SQLite", 9, call="c")], "pay")

    assert one.also == ()


def test_what_a_person_rejected_is_not_found_anew():
    (one,) = joined((), [answered("SQLite", 1)], "pay")
    rejected = replace(one, status=Status.REJECTED, edited=("status",))

    (after,) = joined([rejected], [answered("SQLite", 1), answered("SQLite", 7)], "pay")

    assert after.status is Status.REJECTED


def test_said_again_and_sure_a_proposal_is_accepted():
    proposed = Found(text="use WAL", by="assistant", found_by="report", evidence="", status=Status.PROPOSED)
    sure = replace(proposed, found_by="heading", status=Status.ACCEPTED)

    (one,) = joined((), [Shown(found=proposed, turn=1), Shown(found=sure, turn=2)], "pay")

    assert (one.status, one.turn) == (Status.ACCEPTED, 1)


def test_a_decision_of_an_abandoned_branch_is_only_proposed():
    (one,) = joined((), [replace(answered("SQLite", 1), is_abandoned=True)], "pay")

    assert (one.status, one.found_status) == (Status.PROPOSED, Status.ACCEPTED)


def test_an_adr_whose_title_changed_is_the_same_decision():
    def adr(text, status):
        place = Place(side=Side.DOCUMENT, path="docs/adr/0001.md")
        return Shown(
            found=Found(text=text, by="user", found_by="adr", evidence=text, place=place, status=status)
        )

    (one,) = joined(
        (), [adr("Use Redis", Status.PROPOSED), adr("Use Redis for queues", Status.ACCEPTED)], "pay"
    )

    assert (one.text, one.status) == ("Use Redis for queues", Status.ACCEPTED)


def test_both_sides_tell_what_replaced_what():
    old, new = joined((), [answered("SQLite", 1), answered("Redis", 2)], "pay")

    old, new = superseded((old, new), new.id, [old.id])

    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, "D-002")
    assert (new.supersedes, new.may_supersede) == (("D-001",), ())


def test_an_older_file_reads():
    entry = {"id": "D-001", "text": "x", "status": "accepted", "feature": "f", "session": "s", "turn": 3}

    one = Decision.from_json(entry)

    assert (one.place, one.also, one.edited, one.found_status) == (None, (), (), Status.ACCEPTED)


@given(st.integers(1, 5000))
def test_an_id_is_known_however_it_is_typed(number):
    name = f"D-{number:03d}"

    assert named_id(f"d{number}") == named_id(name.lower()) == name
    assert next_id(
        [
            Decision.from_json(
                {"id": name, "text": "", "status": "accepted", "feature": "", "session": "", "turn": 0}
            )
        ]
    ) == (f"D-{number + 1:03d}")
