"""Names that a feature may bear, and how one is found in a chat or a branch (SPEC 1.1)."""

import unicodedata

import pytest

from awf_archive.domain.features import check_feature, feature_in_command, feature_of_branch
from awf_archive.errors import FeatureNameError

ALLOWED = (
    "login",
    "block-user-personal-chat",
    "v1.2_beta 3",
    "đăng nhập",
    "用户-屏蔽",
    "ログイン",
    "사용자",
    "conference",
    "a" * 100,
    "x.y",
    "हिन्दी",
)

REFUSED = (
    ("", "empty"),
    ("   ", "empty"),
    (".", "folder's own place"),
    ("..", "folder's own place"),
    ("../x", "path separator"),
    ("a/b", "path separator"),
    ("a\\b", "path separator"),
    ("/etc", "path separator"),
    ("a\nb", "control character"),
    ("a\0b", "control character"),
    ("a\x1b[31mb", "control character"),
    ("a\u202eb", "control character"),
    ("a\ud800", "control character"),
    ("login.", "ends in a dot or a space"),
    ("login ", "ends in a dot or a space"),
    (".hidden", "begins with a dot or a space"),
    (" login", "begins with a dot or a space"),
    ("con", "device on Windows"),
    ("CON", "device on Windows"),
    ("aux.txt", "device on Windows"),
    ("Com1", "device on Windows"),
    ("lpt9.x.y", "device on Windows"),
    ("a" * 101, "longer than 100 bytes"),
    ("用" * 34, "longer than 100 bytes"),
    ("a*b", "more than letters"),
    ("a:b", "more than letters"),
    ("a#1", "more than letters"),
    ('a"b', "more than letters"),
    ("a|b", "more than letters"),
    ("$HOME", "more than letters"),
    ("🙂", "more than letters"),
)


@pytest.mark.parametrize("name", ALLOWED)
def test_a_safe_name_stays_as_it_is(name):
    assert check_feature(name) == name


@pytest.mark.parametrize(("name", "rule"), REFUSED, ids=lambda value: ascii(value)[:30])
def test_an_unsafe_name_is_refused_with_the_rule_that_it_broke(name, rule):
    with pytest.raises(FeatureNameError) as refused:
        check_feature(name)

    assert rule in refused.value.message
    assert refused.value.message.isascii(), "a stranger's characters do not reach the terminal"
    assert refused.value.exit_code == 2


def test_a_decomposed_name_is_composed():
    assert check_feature(unicodedata.normalize("NFD", "đăng nhập")) == "đăng nhập"


@pytest.mark.parametrize(
    ("text", "known", "name"),
    [
        ("保存 block-user", [], "block-user"),
        ("/awf-checkpoint block-user", [], "block-user"),
        ("resume block-user", [], "block-user"),
        ("Resume login.", ["login"], "login"),
        ("save login", ["login"], "login"),
        ("lưu đăng nhập", ["đăng nhập"], "đăng nhập"),
        (unicodedata.normalize("NFD", "lưu đăng nhập"), ["đăng nhập"], "đăng nhập"),
        ("/resume login", [], "login"),
        ("save it", [], None),
        ("save the file", [], None),
        ("保存", [], None),
        ("resume ../x", [], None),
        ("please save block-user", [], None),
        ("save block-user\nand then go on", [], None),
    ],
)
def test_a_name_given_with_a_command_is_found(text, known, name):
    assert feature_in_command(text, known) == name


@pytest.mark.parametrize(
    ("branch", "feature"),
    [
        ("block-user", "block-user"),
        ("linh/block-user", "block-user"),
        ("feature/Block-User", "block-user"),
        (unicodedata.normalize("NFD", "f/đăng-nhập"), "đăng-nhập"),
        ("main", None),
        ("block-user/part-2", None),
        ("", None),
        ("/", None),
    ],
)
def test_a_branch_names_the_feature_of_its_last_part(branch, feature):
    assert feature_of_branch(branch, ["block-user", "đăng-nhập"]) == feature
