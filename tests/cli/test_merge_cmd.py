"""`merge` and `install git` on the command line."""

import os
import subprocess

import pytest


@pytest.fixture
def git(workspace):
    def run(*arguments, ok=True):
        names = {f"GIT_{who}_{what}": "an" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        nobody = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        done = subprocess.run(
            ["git", *arguments],
            cwd=workspace.root,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | names | nobody,
        )
        assert not ok or done.returncode == 0, done.stdout + done.stderr
        return done

    run("init", "-q", "-b", "main")
    (workspace.root / ".awf-archive/.gitignore").write_text("*\n")
    return run


@pytest.fixture
def branches(workspace, git, talk_class, tmp_path):
    """Two branches with a common session and one of their own; git waits on `main`."""

    def commit(number, count):
        window = f"0000000{number}-1111-4111-8111-00000000000{number}"
        workspace.save(talk_class(tmp_path / f"{number}.jsonl", window).asks(count, f"side {number}"))
        git("add", "-A")
        git("commit", "-qm", f"side {number}")

    commit(1, 5)
    git("branch", "other")
    commit(2, 3)
    git("checkout", "-q", "other")
    commit(3, 4)
    git("checkout", "-q", "main")


@pytest.mark.usefixtures("branches")
def test_merge_tells_what_came_in_under_which_numbers(git, awf):
    git("merge", "other", ok=False)

    done = awf("merge")

    assert done.code == 0
    assert done.out.splitlines() == [
        "✅ login: merged",
        "  session-003: turns 9–12 (there 6–9)",
        "The archive's files are resolved and staged. Go on with: git commit",
    ]
    git("commit", "-qm", "merged")
    assert awf("verify").code == 0
    assert awf("search", "side 3", "--json").json["total"] >= 4


@pytest.mark.usefixtures("branches")
def test_merge_as_an_object(awf):
    done = awf("merge", "other", "--json").json

    (feature,) = done["features"]
    assert feature["sessions"] == [{"session": "session-003", "globalRange": [9, 12], "formerly": [6, 9]}]
    assert (done["staged"], done["conflicts"], done["setAside"]) == (False, [], [])
    assert awf("merge", "other", "--json").json["features"] == []


@pytest.mark.usefixtures("branches")
def test_an_old_number_still_leads_to_its_turn(awf):
    awf("merge", "other")

    shown = awf("show", "login#6")

    assert "side 2" in shown.out
    assert "login#9" in shown.err
    assert awf("show", "login#9", "--json").json["formerly"] == [6]


@pytest.mark.usefixtures("git")
def test_without_a_side_to_merge_it_says_what_to_name(workspace, talk, awf):
    workspace.save(talk.asks(1))

    done = awf("merge")

    assert done.code == 2
    assert "awf-archive merge REF" in done.err


@pytest.mark.usefixtures("branches")
@pytest.mark.parametrize("name", ["nowhere", "--upload-pack=x", "a b"])
def test_an_unknown_reference_is_no_option_of_gits(awf, name):
    done = awf("merge", "--", name)

    assert done.code == 2
    assert "no such commit" in done.err


def test_outside_of_a_repository_it_says_so(workspace, talk, awf):
    workspace.save(talk.asks(1))

    assert "not in a git repository" in awf("merge", "x").err


@pytest.fixture
def two_reasons(workspace, git, awf):
    """Two branches that gave the same decision other reasons."""

    def reason(why):
        awf("decisions", "edit", "D-001", "--reason", why)
        git("add", "-A")
        git("commit", "-qm", why)

    awf("decide", "use SQLite", "--feature", "login")
    reason("fast")
    git("branch", "other")
    reason("no server")
    git("checkout", "-q", "other")
    reason("we know it")
    git("checkout", "-q", "main")
    return workspace


CHANGED = {
    "en": "  ⚠️ Changed on both sides: D-001, reason. Ours stays: “no server”. Theirs: “we know it”",
    "vi": "  ⚠️ Cả hai bên đều sửa: D-001, lý do. Giữ bên mình: “no server”. Bên kia: “we know it”",
    "zh": "  ⚠️ 双方都改了 D-001 的理由。保留我方：“no server”。对方：“we know it”",
}


@pytest.mark.parametrize("language", CHANGED)
def test_merge_tells_both_values_of_a_decision_that_both_sides_changed(two_reasons, awf, language):
    done = awf("merge", "other", "--lang", language)

    _, told, kept = done.out.splitlines()
    assert done.code == 0
    assert told == CHANGED[language]
    assert "conversations/merged/decision-" in kept
    assert "D-001" in kept
    assert len(list(two_reasons.root.rglob("merged/decision-*.json"))) == 1


@pytest.mark.usefixtures("two_reasons")
def test_a_conflict_of_decisions_as_an_object(awf):
    (feature,) = awf("merge", "other", "--json").json["features"]

    (one,) = feature["decisionConflicts"]
    assert one["decision"] == "D-001"
    assert one["changed"] == [{"field": "reason", "ours": "no server", "theirs": "we know it"}]
    assert awf("merge", "other", "--json").json["features"] == []
