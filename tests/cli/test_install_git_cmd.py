"""`install git` and `uninstall git` on the command line."""

import subprocess

import pytest


@pytest.fixture
def repository(workspace):
    subprocess.run(["git", "init", "-q", workspace.root], check=True)
    return workspace.root


@pytest.mark.usefixtures("repository")
def test_it_tells_what_it_set_up_and_the_second_time_nothing(awf):
    first, second = awf("install", "git"), awf("install", "git")

    assert first.out.startswith("✅ Set up in this repository:")
    assert "merge.awf-archive.driver" in first.out
    assert second.out == "✅ Everything is set up already.\n"


def test_dry_run_writes_nothing(repository, awf, snapshot):
    before = snapshot(repository / ".git")

    done = awf("install", "git", "--dry-run", "--json").json

    assert len(done["changed"]) == 5
    assert snapshot(repository / ".git") == before


@pytest.mark.usefixtures("repository")
def test_uninstall_takes_it_back(awf):
    awf("install", "git")

    done = awf("uninstall", "git")

    assert done.out.startswith("✅ Taken back")
    assert awf("uninstall", "git").out == "Nothing of ours is set up in this repository.\n"
