"""Two clones change the same decision: the merge tells both values, and none is lost (docs/git.md)."""

import json

import pytest
from clones import decide

from awf_archive.services import decisions_changes as changes
from awf_archive.services.decisions_changes import Edit


@pytest.fixture
def decided(team, person):
    """Return two clones of a repository that holds one decision."""
    an = team("an")
    an.save(decide(person("an", 1), "Which store?", "SQLite"))
    return an, team("binh", an)


def edit(clone, **new):
    changes.edit(clone.workspace.archive, "login", "D-001", Edit(**new))
    clone.commit("edited")


def saves(clone, person, number):
    clone.save(person(clone.name, number).asks(1, f"{clone.name} {number}"))


def decision(clone):
    return clone.workspace.archive.decisions("login")[0]


def conflicts(done):
    return [
        (one.decision, each.field, each.ours, each.theirs)
        for feature in (done.features if done else ())
        for one in feature.conflicts
        for each in one.fields
    ]


def kept(clone):
    return sorted((clone.workspace.context / "conversations/merged").glob("decision-*.json"))


def test_both_values_are_told_and_the_other_sides_is_kept_in_git(decided):
    an, binh = decided
    edit(an, reason="no server to run")
    edit(binh, reason="we know it well")

    done = an.pull(binh)

    assert conflicts(done) == [("D-001", "reason", "no server to run", "we know it well")]
    assert decision(an).reason == "no server to run"
    (path,) = kept(an)
    assert done.features[0].conflicts[0].kept == an.workspace.archive.layout.relative(path)
    assert json.loads(path.read_bytes())["theirs"]["reason"] == "we know it well"
    assert an.git("ls-files", "--error-unmatch", str(path))
    assert an.is_sound()


def test_a_conflict_is_told_once(decided, person, snapshot):
    an, binh = decided
    edit(an, text="Store: SQLite, WAL")
    edit(binh, text="Store: SQLite, no WAL")
    an.pull(binh)
    before = snapshot(an.workspace.context)
    assert an.merge("from-binh").features == ()
    assert snapshot(an.workspace.context) == before

    saves(an, person, 2)
    saves(binh, person, 3)

    assert conflicts(an.pull(binh)) == []
    assert decision(an).text == "Store: SQLite, WAL"
    assert an.is_sound()


def test_a_later_change_on_one_side_alone_comes_over_without_a_word(decided, person):
    an, binh = decided
    edit(an, text="Store: SQLite, WAL")
    saves(an, person, 2)
    binh.pull(an) if binh.git("merge", "-q", binh.fetch(an), ok=False).returncode else None
    edit(binh, text="Store: SQLite, WAL, one writer")
    saves(an, person, 4)

    done = an.pull(binh)

    assert conflicts(done) == []
    assert decision(an).text == "Store: SQLite, WAL, one writer"
    assert an.is_sound()


def test_rejected_here_and_reworded_there_is_no_conflict(decided):
    an, binh = decided
    changes.reject(an.workspace.archive, "login", "D-001")
    an.commit("rejected")
    edit(binh, text="Store: SQLite, WAL")

    done = an.pull(binh)

    assert conflicts(done) == []
    assert (decision(an).text, decision(an).status.value) == ("Store: SQLite, WAL", "rejected")


def test_accepted_here_and_rejected_there_is_told(decided, person):
    an, binh = decided
    changes.accept(an.workspace.archive, "login", "D-001")
    saves(an, person, 2)
    changes.reject(binh.workspace.archive, "login", "D-001")
    saves(binh, person, 3)

    assert conflicts(an.pull(binh)) == [("D-001", "status", "accepted", "rejected")]


def test_a_third_clone_gets_what_an_earlier_merge_kept(decided, team, person):
    an, binh = decided
    chi = team("chi", an)
    edit(an, reason="no server to run")
    edit(binh, reason="we know it well")
    an.pull(binh)
    saves(an, person, 2)
    saves(chi, person, 4)

    chi.pull(an)

    assert [path.name for path in kept(chi)] == [path.name for path in kept(an)]
    assert decision(chi).reason == "no server to run"
    assert chi.is_sound()


def test_without_a_merge_of_gits_it_is_told_too(decided):
    an, binh = decided
    edit(an, reason="no server to run")
    edit(binh, reason="we know it well")

    done = an.merge(an.fetch(binh))

    assert conflicts(done) == [("D-001", "reason", "no server to run", "we know it well")]
    assert len(kept(an)) == 1
    assert conflicts(an.merge("from-binh")) == []
