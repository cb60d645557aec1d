"""Option, saved before, chat, branch, asked, default: in this order, and the result says which (SPEC 1.1)."""

import unicodedata

import pytest

from awf_archive.errors import FeatureNameError


def _spec(workspace, name):
    (workspace.layout.archive / name).mkdir(parents=True)


def _chosen(done):
    return done.feature, done.rule.value


@pytest.fixture
def everything_fits(workspace, talk):
    """A conversation that was saved, names a feature, stands on a feature's branch, and has someone to ask."""
    for name in ("by-chat", "by-branch", "by-asking"):
        _spec(workspace, name)
    talk.branch = "linh/by-branch"
    talk.ask("question")
    workspace.save(talk, feature="by-save")
    talk.ask("保存 by-chat", "执行保存...")
    talk.ask("another question")
    return talk


def test_an_option_wins(workspace, everything_fits):
    done = workspace.save(everything_fits, feature="by-option", ask=lambda _: "by-asking")

    assert _chosen(done) == ("by-option", "option")


def test_then_where_the_window_was_saved_before(workspace, everything_fits):
    done = workspace.save(everything_fits, feature=None, ask=lambda _: "by-asking")

    assert _chosen(done) == ("by-save", "saved")


def test_then_the_name_given_in_the_chat(workspace, everything_fits, tmp_path):
    new = everything_fits.copy(tmp_path / "new.jsonl", "0000eeee-1111-4111-8111-00000000000e")

    done = workspace.save(new, feature=None, ask=lambda _: "by-asking")

    assert _chosen(done) == ("by-chat", "chat")


def test_the_latest_name_in_the_chat_counts(workspace, talk):
    talk.ask("保存 first-name", "执行保存...")
    talk.ask("question")
    talk.ask("/resume second-name", "# 恢复: second-name\n\n## 📊 状态概览\n| a | b |")
    talk.ask("question 2")

    assert _chosen(workspace.save(talk, feature=None)) == ("second-name", "chat")


def test_then_the_branch_if_a_feature_folder_bears_its_last_part(workspace, talk):
    _spec(workspace, "Block-User")
    talk.branch = "linh/block-user"

    done = workspace.save(talk.asks(1), feature=None, ask=lambda _: "by-asking")

    assert _chosen(done) == ("Block-User", "branch")


def test_then_whoever_is_asked_and_offered_the_existing_ones(workspace, talk):
    _spec(workspace, "login")
    _spec(workspace, "đăng-nhập")
    offered = []

    def ask(features):
        offered.extend(features)
        return unicodedata.normalize("NFD", "đăng-nhập")

    assert _chosen(workspace.save(talk.asks(1), feature=None, ask=ask)) == ("đăng-nhập", "asked")
    assert offered == ["login", "đăng-nhập"]


def test_an_empty_answer_means_the_default(workspace, talk):
    assert _chosen(workspace.save(talk.asks(1), feature=None, ask=lambda _: "")) == ("general", "asked")


def test_then_general(workspace, talk):
    talk.branch = "feature/of-no-folder"

    assert _chosen(workspace.save(talk.asks(1), feature=None)) == ("general", "default")


@pytest.mark.parametrize("name", ["../x", "con", "login.", "a/b"])
def test_an_unsafe_name_is_refused_and_nothing_written(workspace, talk, name, snapshot):
    talk.asks(1).write()
    before = snapshot(workspace.root)

    with pytest.raises(FeatureNameError):
        workspace.save(talk, feature=name)

    assert snapshot(workspace.root) == before


def test_a_decomposed_name_lands_in_the_composed_folder(workspace, talk):
    done = workspace.save(talk.asks(1), feature=unicodedata.normalize("NFD", "đăng nhập"))

    assert done.feature == "đăng nhập"
    assert [path.name for path in workspace.layout.archive.iterdir()] == ["đăng nhập"]
