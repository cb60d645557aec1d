import json

import pytest

from awf_archive import config


def rows(awf, *arguments):
    return {
        one["name"]: (one["value"], one["origin"])
        for one in awf("config", "--json", *arguments).json["settings"]
    }


def test_spec_8_every_setting_has_a_value_and_an_origin(awf):
    found = rows(awf)

    assert set(config.SETTINGS) <= set(found)
    assert found["every_n_turns"] == (10, "default")
    assert found["auto_save_config.checkpoint_interval"] == (15, "default")


def test_spec_8_options_environment_workspace_user_default(awf, workspace, tmp_path, monkeypatch):
    user = tmp_path / "home/config/awf-archive.toml"
    user.parent.mkdir(parents=True)
    user.write_text('language = "zh"\nevery_n_turns = 5\nmax_checkpoints = 7\nttl_seconds = 60\n')
    (workspace.root / "awf-archive.toml").write_text("# ours\nevery_n_turns = 3\nmax_checkpoints = 4\n")
    monkeypatch.setenv("AWF_ARCHIVE_MAX_CHECKPOINTS", "2")

    found = rows(awf, "--lang", "vi")

    assert found["language"] == ("vi", "--lang")
    assert found["max_checkpoints"] == (2, "AWF_ARCHIVE_MAX_CHECKPOINTS")
    assert found["every_n_turns"] == (3, f"{workspace.root}/awf-archive.toml, line 2")
    assert found["ttl_seconds"] == (60, f"{user}, line 4")
    assert found["chunk_threshold"] == (20, "default")


def test_spec_3_6_awfs_own_settings_are_shown(awf, workspace):
    path = workspace.root / ".brain/preferences.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"auto_save_config": {"warn_threshold": 70}}))

    assert rows(awf)["auto_save_config.warn_threshold"] == (70, str(path))


def test_spec_8_a_data_source_does_not_come_from_a_workspace(awf, workspace, monkeypatch):
    (workspace.root / "awf-archive.toml").write_text('postgres_dsn = "host=evil.example"\n')

    answer = awf("config")

    assert "evil" not in answer.out
    assert "names a data source and is ignored" in answer.err
    monkeypatch.setenv("AWF_ARCHIVE_POSTGRES_DSN", "host=db.example")
    assert "db.example" in awf("config").out


@pytest.mark.parametrize(
    "dsn", ["postgresql://me:s3cret@db/x", "host=db password=s3cret", "host=db password='s3cret x'"]
)
def test_a_password_is_never_shown(awf, monkeypatch, dsn):
    monkeypatch.setenv("AWF_ARCHIVE_POSTGRES_DSN", dsn)

    for answer in (awf("config"), awf("config", "--json")):
        assert "s3cret" not in answer.out
        assert "***" in answer.out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("every_n_turn = 3", "Did you mean 'every_n_turns'?"),
        ('every_n_turns = "often"', "every_n_turns must be a whole number from 0"),
        ("on_tools = 3", "on_tools must be a list of texts"),
        ('checkpoint_backend = "etcd"', "must be one of memory, file, sqlite, postgres"),
    ],
)
def test_spec_8_a_wrong_setting_names_file_line_and_the_right_key(awf, workspace, line, said):
    (workspace.root / "awf-archive.toml").write_text(f"# first\n{line}\n")

    answer = awf("config")

    assert answer.code == (2 if "mean" in said else 1)
    assert "awf-archive.toml, line 2" in answer.err
    assert said in answer.err


def test_a_list_in_the_environment_has_commas(awf, monkeypatch):
    monkeypatch.setenv("AWF_ARCHIVE_ON_TOOLS", "shell, edit_file")

    assert rows(awf)["on_tools"] == (["shell", "edit_file"], "AWF_ARCHIVE_ON_TOOLS")
