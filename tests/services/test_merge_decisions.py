"""Two lists of decisions become one (services/merge_decisions)."""

import pytest

from awf_archive.domain.decisions import Decision, Status
from awf_archive.services.merge_decisions import merged_decisions

NUMBERS = {1: (1, "session-001"), 2: (5, "session-003"), 3: (6, "session-003")}
"""Their turn 1 is ours too; their turns 2 and 3 came here as 5 and 6."""


def one(number, text, turn, status=Status.ACCEPTED, **more):
    return Decision(
        id=f"D-{number:03d}",
        text=text,
        turn=turn,
        status=status,
        feature="pay",
        session="session-001",
        **more,
    )


def both(ours, theirs, before=()):
    return merged_decisions(tuple(ours), tuple(theirs), NUMBERS, 4, tuple(before))


def merged(ours, theirs, before=()):
    return both(ours, theirs, before).decisions


def told(done):
    return [
        (one.decision, each.field, each.ours, each.theirs) for one in done.conflicts for each in one.fields
    ]


def said(text="Store: SQLite", **more):
    """Decision 1 as a person put it; what is named in `more` beside the text was changed."""
    names = (*(["text"] if text != "Store: SQLite" else []), *(name for name in more if name != "found_by"))
    found = {"found_text": "Store: SQLite"} if "text" in names else {}
    return one(1, text, 1, edited=names, **found, **more)


def test_what_is_new_there_comes_under_the_next_number_and_its_new_turn():
    _, two = merged(
        [one(1, "Store: SQLite", 1)], [one(1, "Store: SQLite", 1), one(2, "one lock", 2, also=(3, 9))]
    )

    assert (two.id, two.text, two.turn, two.session, two.also) == (
        "D-002",
        "one lock",
        5,
        "session-003",
        (6,),
    )


def test_links_lead_to_the_numbers_that_the_decisions_have_here():
    ours = [one(1, "Store: SQLite", 1), one(2, "ours", 3)]
    theirs = [
        one(1, "Store: SQLite", 1, Status.SUPERSEDED, superseded_by="D-002", edited=("status",)),
        one(2, "Store: Redis", 2, supersedes=("D-001",), edited=("supersedes",)),
        one(3, "Store: Postgres", 3, may_supersede=("D-002",)),
    ]

    store, _, redis, postgres = merged(ours, theirs)

    assert (store.status, store.superseded_by) == (Status.SUPERSEDED, "D-003")
    assert (redis.id, redis.supersedes) == ("D-003", ("D-001",))
    assert postgres.may_supersede == ("D-003",)


def test_what_a_person_changed_on_the_other_side_alone_is_taken():
    theirs = one(1, "Kho: SQLite", 1, Status.REJECTED, found_text="Store: SQLite", edited=("text", "status"))

    (here,) = merged([one(1, "Store: SQLite", 1)], [theirs])

    assert (here.text, here.found_text, here.status) == ("Kho: SQLite", "Store: SQLite", Status.REJECTED)
    assert here.edited == ("text", "status")


def test_changed_on_both_sides_ours_stays():
    ours = one(1, "ours", 1, found_text="Store: SQLite", edited=("text",))
    theirs = one(1, "theirs", 1, found_text="Store: SQLite", edited=("text",))

    done = both([ours], [theirs])

    assert [each.text for each in done.decisions] == ["ours"]
    assert told(done) == [("D-001", "text", "ours", "theirs")]


CHANGES = {
    "text": ({"text": "ours"}, {"text": "theirs"}, ("text", "ours", "theirs")),
    "reason": ({"reason": "ours"}, {"reason": "theirs"}, ("reason", "ours", "theirs")),
    "options": ({"options": ("a", "b")}, {"options": ("c",)}, ("options", "a; b", "c")),
    "status": ({"status": Status.REJECTED}, {"status": Status.ACCEPTED}, ("status", "rejected", "accepted")),
    "one took it back": ({"reason": "ours"}, {"reason": ""}, ("reason", "ours", "")),
}


@pytest.mark.parametrize(("mine", "yours", "expected"), CHANGES.values(), ids=CHANGES)
def test_what_both_sides_changed_apart_is_named_with_both_values(mine, yours, expected):
    before = one(1, "Store: SQLite", 1, reason="as found")

    done = both([said(**mine)], [said(**yours)], [before])

    field, ours, theirs = expected
    assert told(done) == [("D-001", field, ours, theirs)]
    assert getattr(done.decisions[0], field) == mine[field]
    assert getattr(done.conflicts[0].theirs, field) == yours[field]


def test_both_sides_changed_to_the_same_is_no_conflict():
    done = both([said("Kho: SQLite")], [said("Kho: SQLite")], [one(1, "Store: SQLite", 1)])

    assert done.conflicts == ()


def test_different_fields_come_together():
    done = both([said(reason="fast")], [said("Kho: SQLite")], [one(1, "Store: SQLite", 1)])

    assert done.conflicts == ()
    assert [(each.text, each.reason) for each in done.decisions] == [("Kho: SQLite", "fast")]


@pytest.mark.parametrize("is_ours_newer", [True, False], ids=["ours is newer", "theirs is newer"])
def test_what_one_side_changed_again_since_they_parted_is_taken(is_ours_newer):
    old, new = said("Kho: SQLite"), said("Kho: SQLite, WAL")

    done = both(*([new], [old]) if is_ours_newer else ([old], [new]), [old])

    assert done.conflicts == ()
    assert done.decisions[0].text == "Kho: SQLite, WAL"


def test_what_was_recorded_by_hand_on_both_sides_with_other_reasons_is_a_conflict():
    ours, theirs = (one(1, "use WAL", 0, reason=why, found_by="command") for why in ("speed", "safety"))

    done = both([ours], [theirs])

    assert told(done) == [("D-001", "reason", "speed", "safety")]


def test_superseded_by_different_decisions_on_both_sides_is_a_conflict_in_our_numbers():
    gone = {"edited": ("status",), "superseded_by": "D-002"}
    ours = [one(1, "Store: SQLite", 1, Status.SUPERSEDED, **gone), one(2, "Store: Redis", 3)]
    theirs = [one(1, "Store: SQLite", 1, Status.SUPERSEDED, **gone), one(2, "Store: Postgres", 2)]

    done = both(ours, theirs, [one(1, "Store: SQLite", 1)])

    assert told(done) == [("D-001", "status", "superseded (D-002)", "superseded (D-003)")]


def test_what_was_recorded_by_hand_there_comes_too_and_only_once():
    theirs = [one(1, "deploy on Monday", 0), one(2, "use WAL", 0)]

    after = merged([one(1, "use WAL", 0)], theirs)

    assert [(each.id, each.text) for each in after] == [("D-001", "use WAL"), ("D-002", "deploy on Monday")]
    assert merged(after, theirs) == after
