"""Settings: where each comes from, what is wrong with it, what a cloned repository may not set (SPEC 8)."""

import json
import os
import subprocess
import sys

import pytest

from awf_archive import config


@pytest.fixture
def user_file(tmp_path):
    path = tmp_path / "home/config/awf-archive.toml"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def saved(workspace, talk):
    workspace.save(talk.asks(1))


def _wrong(answer):
    assert answer.code == 2
    assert answer.out == ""
    return answer.err


def test_an_unknown_key_names_file_line_and_the_nearest_key(awf, workspace):
    file = workspace.root / "awf-archive.toml"
    file.write_text('# ours\nlanguage = "vi"\n\nchunk_treshold = 5\n', encoding="utf-8")

    told = _wrong(awf("list"))

    assert f"{file}, line 4: there is no setting 'chunk_treshold'" in told
    assert "Did you mean 'chunk_threshold'?" in told


def test_a_table_that_is_no_setting_names_its_line(awf, workspace):
    (workspace.root / "awf-archive.toml").write_text(
        'language = "vi"\n[chunks]\nsize = 5\n', encoding="utf-8"
    )

    assert "line 2: there is no setting 'chunks'" in _wrong(awf("list"))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('archive_dir = ""', "must be a text that is not empty"),
        ("archive_dir = 5", "must be a text that is not empty"),
        ("vault_dir = 5", "must be a text that is not empty"),
        ('redact = "all"', "must be one of view, archive"),
    ],
)
def test_a_wrong_value_that_says_where_or_how_safely_to_save_stops_every_command(awf, user_file, line, told):
    user_file.write_text(f"\n{line}\n", encoding="utf-8")

    error = _wrong(awf("list"))

    assert "awf-archive.toml, line 2" in error
    assert told in error


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("chunk_threshold = 0", "must be a whole number from 1"),
        ("chunk_threshold = true", "must be a whole number from 1"),
        ('chunk_threshold = "many"', "must be a whole number from 1"),
        ('language = "fr"', "must be one of en, vi, zh"),
        ("language = 3", "must be one of en, vi, zh"),
        ('summary = {command = "x y"}', "must have a command such as"),
        ('team = {auth = "magic"}', "must have an auth of"),
        ("import_features = 3", "must be a table of texts"),
        ("ttl_seconds = -1", "must be a whole number from 1"),
    ],
)
def test_another_wrong_value_is_told_once_and_stops_no_save(awf, talk, user_file, line, told):
    user_file.write_text(f"\n{line}\n", encoding="utf-8")

    saved = awf("checkpoint", "--transcript", talk.asks(1).write(), "--feature", "login")

    assert saved.code == 0
    assert saved.err.count("awf-archive.toml, line 2") == 1
    assert told in saved.err
    assert awf("list", "--json").err == ""
    for command in ("list", "recap", "status", "verify"):
        answer = awf(command)
        assert (answer.code, answer.err.count(told)) == (0, 1), command


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ('summary = {command = "x y"}', ("chunk", "rebuild")),
        ('summary = {command = "x y"}', ("decisions", "read", "--run")),
        ('team = {auth = "magic"}', ("team", "push")),
        ('team = {auth = "magic"}', ("search", "question", "--scope", "team")),
        ("import_features = 3", ("import",)),
    ],
    ids=["chunk", "decisions", "team", "search", "import"],
)
@pytest.mark.usefixtures("saved")
def test_a_wrong_value_ends_the_command_that_uses_it(awf, user_file, line, command):
    user_file.write_text(f"\n{line}\n", encoding="utf-8")

    error = _wrong(awf(*command))

    assert error.startswith(f"awf-archive: {user_file}, line 2: {line.split()[0]} must")


def test_what_was_said_rightly_elsewhere_holds_against_a_wrong_value(awf, workspace, user_file, monkeypatch):
    user_file.write_text("chunk_threshold = 7\n", encoding="utf-8")
    (workspace.root / "awf-archive.toml").write_text("chunk_threshold = 0\n", encoding="utf-8")

    assert config.load(workspace.root).chunk_threshold == 7
    assert "chunk_threshold" in config.load(workspace.root).wrong
    monkeypatch.setenv("AWF_ARCHIVE_CHUNK_THRESHOLD", "9")
    assert config.load(workspace.root).chunk_threshold == 9
    assert not config.load(workspace.root).wrong
    assert awf("list").err == ""


def test_config_shows_a_wrong_value(awf, user_file):
    user_file.write_text('[summary]\ncommand = "x y"\n', encoding="utf-8")

    assert f"✗ {user_file}, line 1: summary must have a command" in awf("config").out
    (row,) = (one for one in awf("config", "--json").json["settings"] if one["name"] == "summary")
    assert "must have a command" in row["wrong"]


@pytest.mark.parametrize(
    "content",
    [b"language = ", b"\xff\xfe", b"language = 'vi'\nlanguage = 'en'\n"],
    ids=["cut", "bytes", "twice"],
)
def test_a_file_that_is_no_toml_is_named(awf, workspace, content):
    (workspace.root / "awf-archive.toml").write_bytes(content)

    assert "awf-archive.toml" in _wrong(awf("list"))


def test_a_wrong_value_in_the_environment_names_the_variable(awf, monkeypatch):
    monkeypatch.setenv("AWF_ARCHIVE_REDACT", "many")

    assert "AWF_ARCHIVE_REDACT" in _wrong(awf("list"))


def test_option_over_environment_over_workspace_over_user_over_locale(awf, workspace, user_file, monkeypatch):
    empty = {"en": "No conversation", "vi": "Chưa có", "zh": "这里还没有"}

    def speaks():
        out = awf("list").out
        return next(language for language, words in empty.items() if out.startswith(words))

    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert speaks() == "zh"
    user_file.write_text('language = "vi"\n', encoding="utf-8")
    assert speaks() == "vi"
    (workspace.root / "awf-archive.toml").write_text('language = "en"\n', encoding="utf-8")
    assert speaks() == "en"
    monkeypatch.setenv("AWF_ARCHIVE_LANGUAGE", "zh")
    assert speaks() == "zh"
    assert awf("list", "--lang", "vi").out.startswith(empty["vi"])


@pytest.mark.parametrize("path", ["/elsewhere", "../elsewhere", "a/../../b", "C:\\x", "\\\\host\\share"])
def test_a_cloned_repository_cannot_move_the_archive_out_of_itself(awf, workspace, talk, path):
    text = f"archive_dir = '{path}'\n"
    (workspace.root / "awf-archive.toml").write_text(text, encoding="utf-8")

    answer = awf("checkpoint", "--transcript", talk.asks(1).write(), "--feature", "login")

    assert answer.code == 0
    assert "archive_dir" in answer.err
    assert "ignored" in answer.err
    assert (workspace.context / "manifest.json").is_file()


def test_a_workspace_may_move_the_archive_inside_itself(awf, workspace, talk):
    (workspace.root / "awf-archive.toml").write_text('archive_dir = "docs/chats"\n', encoding="utf-8")

    awf("checkpoint", "--transcript", talk.asks(1).write(), "--feature", "login")

    assert (workspace.root / "docs/chats/login/.context/manifest.json").is_file()
    assert awf("show", "login#1").code == 0
    assert awf("search", "question").code == 0


def test_the_user_may_move_the_archive_anywhere(awf, user_file, talk, tmp_path):
    user_file.write_text(f'archive_dir = "{tmp_path}/chats"\n', encoding="utf-8")

    awf("checkpoint", "--transcript", talk.asks(1).write(), "--feature", "login")

    assert (tmp_path / "chats/login/.context/manifest.json").is_file()
    assert awf("list").code == 0


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "vi_VN.UTF-8"}, "vi"),
        ({"LC_ALL": "zh_TW", "LANG": "vi_VN"}, "zh"),
        ({"LC_ALL": "C", "LANG": "vi_VN"}, "en"),
        ({"LC_ALL": "", "LANG": "vi_VN"}, "vi"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({}, "en"),
    ],
    ids=str,
)
def test_the_locale_tells_the_language(environment, language):
    assert config.language_of_locale(environment) == language


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_stream_without_the_letters_loses_none_of_json_and_is_no_failure(
    workspace, talk, tmp_path, encoding
):
    talk.ask("Chọn kho nào? 选择", "SQLite.")
    workspace.save(talk)
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C"}
    environment |= {"HOME": str(tmp_path / "home")}

    def run(*arguments):
        command = [
            sys.executable,
            "-m",
            "awf_archive",
            "show",
            "login#1",
            "--workspace",
            workspace.root,
            *arguments,
        ]
        done = subprocess.run(command, capture_output=True, env=environment, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout.decode(encoding, errors="replace")

    assert json.loads(run("--json"))["user"] == "Chọn kho nào? 选择"
    assert "SQLite." in run()
