"""Two lists of decisions become one (services/merge_decisions)."""

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


def merged(ours, theirs):
    return merged_decisions(tuple(ours), tuple(theirs), NUMBERS, 4)


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

    (here,) = merged([ours], [theirs])

    assert here.text == "ours"


def test_what_was_recorded_by_hand_there_comes_too_and_only_once():
    theirs = [one(1, "deploy on Monday", 0), one(2, "use WAL", 0)]

    after = merged([one(1, "use WAL", 0)], theirs)

    assert [(each.id, each.text) for each in after] == [("D-001", "use WAL"), ("D-002", "deploy on Monday")]
    assert merged(after, theirs) == after
