"""One feature's bad day is not the others': what reads is listed and found, what does not is named."""

import pytest

from awf_archive.store.layout import Layout


@pytest.fixture
def two_features(workspace, talk, awf):
    talk.ask("find the red lantern")
    workspace.save(talk, feature="sound")
    talk.ask("another lantern")
    workspace.save(talk, feature="broken")
    Layout(root=workspace.root).manifest("broken").write_text("{ not json", encoding="utf-8")
    return awf


def test_list_shows_the_sound_one_and_names_the_other(two_features):
    done = two_features("list")

    assert "sound" in done.out
    assert "broken/.context/manifest.json" in done.err
    assert "awf-archive repair" in done.err
    assert done.code == 3


def test_search_finds_in_the_sound_one_and_names_the_other(two_features):
    done = two_features("search", "lantern")

    assert "sound#1" in done.out
    assert "broken/.context/manifest.json" in done.err
    assert done.code == 3


def test_a_checkpoint_of_the_sound_one_works(two_features, talk):
    talk.ask("and one more")

    done = two_features("checkpoint", "--transcript", talk.path, "--feature", "sound")

    assert done.code == 0
