"""`install codex | gemini-cli | cursor | codex-notify` and `uninstall`: files as people have them (issue 7, point 5)."""

import json
import shlex
import tomllib

import pytest

from awf_archive.integrations.installing import program
from awf_archive.integrations.setups import SETUPS

OTHERS = SETUPS[1:]
GROUP = {"matcher": "startup", "hooks": [{"type": "command", "command": "say hi", "timeout": 5}]}

FILES = {
    "none": None,
    "empty": "",
    "object": "{}",
    "others": json.dumps(
        {"hooks": {"SessionStart": [GROUP], "stop": [{"command": "say done"}]}, "theme": "x"}
    ),
    "comments": '// mine\n{\n  "version": 1, /* why */\n  "hooks": {} // none yet\n}\n// end',
    "crlf": '{\r\n  "hooks": {"Stop": []}\r\n}\r\n',
    "bom": '\ufeff{\n\t"theme": "dark"\n}\n',
}

NAMES = [setup.name for setup in OTHERS]


@pytest.fixture
def homes(tmp_path, monkeypatch):
    """Give each tool a home of its own, and say where the settings file of each lies."""
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("AWF_ARCHIVE_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("CODEX_HOME", str(home / "codex home"))
    monkeypatch.delenv("GEMINI_CLI_HOME", raising=False)
    return {
        "codex": home / "codex home/hooks.json",
        "gemini-cli": home / ".gemini/settings.json",
        "cursor": home / ".cursor/hooks.json",
    }


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("name", NAMES)
def test_what_was_there_stays_and_taking_it_back_leaves_the_very_bytes(awf, homes, snapshot, name, kind):
    path = homes[name]
    if FILES[kind] is not None:
        path.parent.mkdir(parents=True)
        path.write_bytes(FILES[kind].encode())
    before = FILES[kind]

    assert awf("install", name).code == 0
    installed = snapshot(path.parents[1])
    assert awf("install", name).out == "Already set up; nothing was changed.\n"
    assert snapshot(path.parents[1]) == installed
    assert awf("uninstall", name).code == 0

    assert (path.read_bytes().decode() if path.exists() else None) == before
    assert list(path.parents[1].rglob("*awf-*")) == []
    assert awf("uninstall", name).out == "Nothing of ours is there; nothing was changed.\n"


@pytest.mark.parametrize("setup", OTHERS, ids=NAMES)
def test_the_file_is_of_the_shape_that_the_tool_reads(awf, homes, setup):
    awf("install", setup.name)

    value = json.loads(homes[setup.name].read_text())
    assert list(value["hooks"]) == list(setup.hooks_of(("x",)))
    assert ("version" in value) == (setup.name == "cursor")
    for entries in value["hooks"].values():
        [hook] = entries if setup.name == "cursor" else entries[0]["hooks"]
        assert shlex.split(hook["command"]) == [*program(), "hook", setup.name]
        assert hook["timeout"] in ((10_000,) if setup.name == "gemini-cli" else (3, 10))


@pytest.mark.parametrize("name", NAMES)
def test_another_s_hooks_go_on_and_stay_when_ours_go(awf, homes, name):
    path = homes[name]
    path.parent.mkdir(parents=True)
    path.write_text(FILES["others"])
    awf("install", name)
    changed = json.loads(path.read_text()) | {"more": 1}
    path.write_text(json.dumps(changed))

    awf("uninstall", name)

    assert json.loads(path.read_text()) == json.loads(FILES["others"]) | {"more": 1}


@pytest.mark.parametrize("broken", ['{"hooks": [', "[]", '{"hooks": {"stop": {}}}'])
@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_cannot_be_changed_safely_is_refused(awf, homes, name, broken):
    path = homes[name]
    path.parent.mkdir(parents=True)
    path.write_text(broken)

    for command in ("install", "uninstall"):
        answer = awf(command, name)
        assert answer.code == 3
        assert "nothing was changed" in answer.err
    assert path.read_text() == broken
    assert list(path.parents[1].rglob("*awf-*")) == []


PAGES = {
    "codex": ".agents/skills/awf-recap/SKILL.md",
    "gemini-cli": ".gemini/commands/awf-recap.toml",
    "cursor": ".cursor/commands/awf-recap.md",
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.usefixtures("homes")
def test_its_commands_give_a_topic_on_stdin_and_nowhere_else(awf, tmp_path, name):
    awf("install", name)

    text = (tmp_path / "home" / PAGES[name]).read_text()
    told = tomllib.loads(text)["prompt"] if name == "gemini-cli" else text
    assert (
        f"{shlex.join(program())} skill recap {name} <<'AWF_END_OF_TOPIC'\nTOPIC\nAWF_END_OF_TOPIC\n" in told
    )
    assert [sign for sign in ("{{args}}", "!{", "@{", "$ARGUMENTS", "!`") if sign in text] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_s_own_scope_names_no_path_of_this_machine(awf, workspace, homes, name):
    awf("install", name, "--scope", "project")

    folder = {"codex": ".codex", "gemini-cli": ".gemini", "cursor": ".cursor"}[name]
    text = (workspace.root / folder / homes[name].name).read_text()
    assert "awf-archive hook" in text
    assert program()[0] not in text
    assert not homes[name].exists()
    awf("uninstall", name, "--scope", "project")
    assert not (workspace.root / folder).exists()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.usefixtures("homes")
def test_a_repository_s_link_does_not_lead_us_out_of_it(awf, workspace, tmp_path, name):
    victim = tmp_path / "victim"
    victim.mkdir()
    for folder in (".codex", ".gemini", ".cursor", ".agents"):
        (workspace.root / folder).symlink_to(victim)

    assert awf("install", name, "--scope", "project").code == 3
    assert list(victim.iterdir()) == []


def test_codex_s_own_review_and_its_switch_are_spoken_of(awf, homes):
    config = homes["codex"].with_name("config.toml")
    config.parent.mkdir(parents=True)

    assert "/hooks" in awf("install", "codex").out
    awf("uninstall", "codex")
    config.write_text("[features]\nhooks = false\n")
    assert "hooks = false" in awf("install", "codex").out


TOML = {
    "none": None,
    "empty": "",
    "usual": '# mine\nmodel = "gpt-5.5" # why\n\n[tui]\nnotifications = true\n',
    "only-tables": "[projects.'/x']\ntrust_level = \"trusted\"",
    "crlf": 'model = "o3"\r\n[tui]\r\n',
    "bom": '\ufeffmodel = "o3"\n',
}


@pytest.mark.parametrize("kind", TOML)
def test_notify_is_one_line_and_every_other_byte_stays(awf, homes, kind):
    path, before = homes["codex"].with_name("config.toml"), TOML[kind]
    if before is not None:
        path.parent.mkdir(parents=True)
        path.write_bytes(before.encode())

    assert awf("install", "codex-notify").code == 0
    installed = path.read_bytes()
    assert awf("install", "codex-notify").out == "Already set up; nothing was changed.\n"
    assert path.read_bytes() == installed
    value = tomllib.loads(installed.decode().removeprefix("\ufeff"))
    assert value == tomllib.loads((before or "").removeprefix("\ufeff")) | {
        "notify": [*program(), "hook", "codex-notify"]
    }
    assert awf("uninstall", "codex-notify").code == 0

    assert (path.read_bytes().decode() if path.exists() else None) == before


def test_a_program_that_moved_is_named_anew(awf, homes):
    path = homes["codex"].with_name("config.toml")
    path.parent.mkdir(parents=True)
    path.write_text('a = 1\nnotify = ["/old/awf-archive", "hook", "codex-notify"] # awf-archive\n[t]\n')

    awf("install", "codex-notify")

    line = json.dumps([*program(), "hook", "codex-notify"])
    assert path.read_text() == f"a = 1\nnotify = {line} # awf-archive\n[t]\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('notify = ["say", "done"]\n', "say"),
        ('notify = [\n  "say",\n]\n', "another program"),
        ("model = \n", "line 1"),
        ("[a]\n[a]\n", "nothing was changed"),
    ],
)
def test_a_notify_of_the_user_s_and_a_broken_file_stay_as_they_are(awf, homes, text, told):
    path = homes["codex"].with_name("config.toml")
    path.parent.mkdir(parents=True)
    path.write_text(text)

    answer = awf("install", "codex-notify")

    assert answer.code == 3
    assert told in answer.err
    assert path.read_text() == text


def test_a_line_like_ours_inside_a_text_stays(awf, homes):
    path = homes["codex"].with_name("config.toml")
    path.parent.mkdir(parents=True)
    text = 'a = """\nnotify = ["x", "hook", "codex-notify"] # awf-archive\n"""\n'
    path.write_text(text)

    for command in ("install", "uninstall"):
        assert awf(command, "codex-notify").code == 3
        assert path.read_text() == text
