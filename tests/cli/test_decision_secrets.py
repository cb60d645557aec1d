"""`decide` and `decisions edit` say when what they write down looks like a secret; it is recorded all the same."""

import pytest

SECRETS = {
    "password": ("database password: hunter2hunter2", "hunter2hunter2", "password"),
    "key": ("use ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8 for the bot", "ghp_" + "a1B2", "github-token"),
    "mật khẩu": ("mật khẩu: sonthach92x", "sonthach92x", "password"),
    "密码": ("密码：sunny2day88", "sunny2day88", "password"),
}
PLAIN = ("use SQLite", "the password is asked for once", "mật khẩu lưu dạng băm", "令牌十五分钟过期")
SAID = {
    "en": "⚠️ D-001 looks like it holds a secret (password), and is recorded as you said it.",
    "vi": "⚠️ D-001 có vẻ chứa bí mật (password), và được ghi đúng như bạn nói.",
    "zh": "⚠️ D-001 似乎含有机密信息（password），已按原文记录。",
}


def held(workspace):
    return workspace.archive.layout.decisions("pay").read_text(encoding="utf-8")


@pytest.mark.parametrize(("text", "secret", "kind"), SECRETS.values(), ids=SECRETS)
def test_a_secret_is_recorded_named_by_its_kind_and_taken_out_as_told(awf, workspace, text, secret, kind):
    done = awf("decide", text, "--feature", "pay")

    assert done.code == 0
    assert secret in held(workspace)
    assert f"({kind})" in done.err
    assert "awf-archive redact" in done.err
    assert secret not in done.err
    assert awf("redact").code == 0
    assert secret not in held(workspace)
    assert f"[REDACTED:{kind}]" in held(workspace)
    assert awf("decisions", "show", "D-001").code == 0


@pytest.mark.parametrize("language", SAID)
def test_it_is_said_in_the_persons_language(awf, language):
    done = awf("decide", "password: hunter2hunter2", "--feature", "pay", "--lang", language)

    assert done.err.startswith(SAID[language])


@pytest.mark.parametrize("text", PLAIN)
def test_nothing_is_said_of_words_about_secrets(awf, text):
    assert awf("decide", text, "--feature", "pay").err == ""


@pytest.mark.parametrize("option", ["--reason", "--option", "--file"])
def test_a_secret_beside_the_text_is_told_too(awf, option):
    assert "(password)" in awf("decide", "x", "--feature", "pay", option, "password=hunter2hunter2").err


def test_with_json_the_object_stands_alone_on_stdout(awf):
    done = awf("decide", "password: hunter2hunter2", "--feature", "pay", "--json")

    assert done.json["text"] == "password: hunter2hunter2"
    assert "(password)" in done.err


@pytest.mark.parametrize("option", ["--text", "--reason"])
def test_an_edit_is_told_too(awf, option):
    awf("decide", "use SQLite", "--feature", "pay")

    done = awf("decisions", "edit", "D-001", option, "password: hunter2hunter2")

    assert done.code == 0
    assert "(password)" in done.err


def test_an_edit_that_leaves_the_secret_in_the_evidence_says_so_still(awf):
    awf("decide", "password: hunter2hunter2", "--feature", "pay")

    assert "(password)" in awf("decisions", "edit", "D-001", "--text", "the password is in the vault").err


def test_what_is_allowed_by_name_is_no_secret(awf, workspace):
    awf("decide", "password: hunter2hunter2", "--feature", "pay")
    name = awf("scan", "--json").json["findings"][0]["name"]
    (workspace.root / ".awf-archive-allow").write_text(f"{name}\n")

    assert awf("decide", "password: hunter2hunter2", "--feature", "other").err == ""


def test_where_the_archive_is_to_hold_masks_the_secret_is_never_written(awf, workspace):
    (workspace.root / "awf-archive.toml").write_text('redact = "archive"\n')

    done = awf("decide", "password: hunter2hunter2", "--feature", "pay", "--option", "password: swordfish99x")

    assert "hunter2hunter2" not in held(workspace)
    assert "swordfish99x" not in held(workspace)
    assert "[REDACTED:password]" in done.out
    assert done.err == ""
