"""`Login` and `login` are one folder on some systems: an archive never holds both."""

import pytest

from awf_archive.errors import FeatureNameError


def test_a_person_who_names_the_twin_is_told_of_the_one_that_is_there(workspace, talk):
    talk.ask("first")
    workspace.save(talk, feature="login")
    talk.ask("second")

    with pytest.raises(FeatureNameError, match="there is a feature login already") as caught:
        workspace.save(talk, feature="Login")

    assert "--feature 'login'" in caught.value.hint
    assert workspace.layout.specs() == ["login"]


def test_a_name_from_the_chat_goes_to_the_one_that_is_there(workspace, talk):
    talk.ask("first")
    workspace.save(talk, feature="block-user")
    other = type(talk)(talk.path.with_name("other.jsonl"), window="0000bbbb-1111-4111-8111-000000000002")
    other.ask("something else")
    other.ask("保存 Block-User", "well, what about it?")

    done = workspace.save(other, feature=None)

    assert done.feature == "block-user"
