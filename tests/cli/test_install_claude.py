"""`install claude-code` and `uninstall claude-code`: settings files as people have them (issue 7)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awf_archive.integrations import json_text
from awf_archive.integrations.claude_code import SETUP
from awf_archive.integrations.hook_events import EVENTS
from awf_archive.integrations.installing import program
from awf_archive.integrations.json_text import parsed
from awf_archive.integrations.settings_hooks import with_hooks, without_hooks

OTHERS = {"Stop": [{"matcher": "", "hooks": [{"type": "command", "command": "say done"}]}]}

FILES = {
    "none": None,
    "empty": "",
    "blank": " \n",
    "object": "{}",
    "one-line": '{"model": "opus"}',
    "usual": '{\n  "model": "opus",\n  "permissions": {\n    "allow": ["Bash(ls:*)"]\n  }\n}\n',
    "four-blanks": '{\n    "model": "opus"\n}',
    "tabs": '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n',
    "others-hooks": json.dumps({"hooks": OTHERS}, indent=2),
    "others-hooks-one-line": json.dumps({"hooks": OTHERS, "model": "opus"}),
    "comments": '// mine\n{\n  // about the model\n  "model": "opus", /* why */\n  "hooks": {} // none yet\n}\n// end',
    "trailing-commas": '{\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"},],},],},\n}\n',
    "crlf": '{\r\n  "model": "opus"\r\n}\r\n',
    "bom": '\ufeff{\n  "model": "opus"\n}\n',
    "odd": '{ "a":1\n\n,   "hooks"  :{ "Stop":[ ] } ,"z":[1,\n2]}',
    "empty-hooks": '{"hooks": {}}',
    "unicode": '{"motto": "Chào \\u0041 数据 // not a comment /* nor this */", "x": "\\""}',
}


@pytest.fixture
def settings(tmp_path):
    return tmp_path / "home/claude/settings.json"


def ours(path):
    value = parsed(path.read_bytes().decode("utf-8").removeprefix("\ufeff"), "").value
    return {
        event: [
            hook
            for group in groups
            for hook in group["hooks"]
            if hook.get("args", [])[-2:] == ["hook", "claude-code"]
        ]
        for event, groups in value["hooks"].items()
    }


@pytest.mark.parametrize("name", FILES)
def test_what_was_there_stays_and_taking_it_back_leaves_the_very_bytes(awf, settings, name):
    before = FILES[name]
    if before is not None:
        settings.parent.mkdir(parents=True)
        settings.write_bytes(before.encode())

    assert awf("install", "claude-code").code == 0
    installed = settings.read_bytes()
    assert {event: len(found) for event, found in ours(settings).items() if found} == {
        row.name: 1 for row in EVENTS
    }
    assert awf("install", "claude-code").code == 0
    assert settings.read_bytes() == installed
    assert awf("uninstall", "claude-code").code == 0

    assert (settings.read_bytes().decode() if settings.exists() else None) == before
    assert not (settings.parent / "skills").exists()


@pytest.mark.parametrize("name", [name for name in FILES if FILES[name] is not None])
def test_what_someone_changed_after_us_stays_too(awf, settings, name):
    settings.parent.mkdir(parents=True)
    settings.write_bytes(FILES[name].encode())
    awf("install", "claude-code")
    text = settings.read_bytes().decode("utf-8").removeprefix("\ufeff")
    node = parsed(text, "")
    changed = json_text.with_entry(
        text, node, json_text.Entry(value="dark", key="theme"), 0, json_text.Style()
    )
    settings.write_bytes(changed.encode())

    assert awf("uninstall", "claude-code").code == 0

    left = parsed(settings.read_bytes().decode("utf-8"), "").value
    before = parsed(FILES[name].removeprefix("\ufeff"), "").value if FILES[name].strip() else {}
    assert left == before | {"theme": "dark"}
    assert [
        one for one in ("// mine", "/* why */", "// none yet") if one in FILES[name] and one not in changed
    ] == []


BROKEN = {
    "cut": ('{"model": "op', "line 1"),
    "no-comma": ('{\n  "a": 1\n  "b": 2\n}', "line 3"),
    "two-values": ("{} {}", "after the end"),
    "list": ("[]", "no JSON object"),
    "hooks-list": ('{"hooks": []}', "no object"),
    "event-object": ('{"hooks": {"Stop": {}}}', "no list"),
    "twice": ('{"hooks": {}, "hooks": {}}', "twice"),
    "deep": ("[" * 5_000, "too deeply"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_cannot_be_changed_safely_is_refused_with_a_reason(
    awf, settings, name, snapshot, tmp_path
):
    settings.parent.mkdir(parents=True)
    settings.write_text(BROKEN[name][0])
    before = snapshot(tmp_path)

    for command in ("install", "uninstall"):
        answer = awf(command, "claude-code")
        assert answer.code == 3
        assert BROKEN[name][1] in answer.err
        assert "nothing was changed" in answer.err

    assert snapshot(tmp_path) == before


def test_a_file_that_is_no_text_is_refused(awf, settings):
    settings.parent.mkdir(parents=True)
    settings.write_bytes(b"\xff\xfe{}")

    assert awf("install", "claude-code").code == 3
    assert settings.read_bytes() == b"\xff\xfe{}"


def test_a_link_is_followed_and_stays_a_link(awf, settings, tmp_path):
    settings.parent.mkdir(parents=True)
    real = tmp_path / "dotfiles/claude.json"
    real.parent.mkdir()
    real.write_text("{}")
    real.chmod(0o600)
    settings.symlink_to(real)

    assert awf("install", "claude-code").code == 0

    assert settings.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o600
    assert len(ours(real)) == len(EVENTS)


def test_a_link_that_leads_nowhere_is_refused(awf, settings):
    settings.parent.mkdir(parents=True)
    settings.symlink_to("gone.json")

    assert awf("install", "claude-code").code == 3
    assert not settings.exists()


@pytest.mark.parametrize("scope", ["project", "local"])
def test_a_repository_s_link_does_not_lead_us_out_of_it(awf, workspace, tmp_path, scope):
    victim = tmp_path / "victim"
    victim.mkdir()
    (workspace.root / ".claude").symlink_to(victim)

    assert awf("install", "claude-code", "--scope", scope).code == 3
    assert list(victim.iterdir()) == []


@pytest.mark.parametrize(("scope", "name"), [("project", "settings.json"), ("local", "settings.local.json")])
def test_each_scope_has_its_file(awf, workspace, settings, scope, name):
    awf("install", "claude-code", "--scope", scope)

    found = ours(workspace.root / ".claude" / name)
    assert not settings.exists()
    assert {hook["command"] for hooks in found.values() for hook in hooks} == (
        {"awf-archive"} if scope == "project" else {program()[0]}
    )
    assert (workspace.root / ".claude/skills/awf-recap/SKILL.md").is_file()
    awf("uninstall", "claude-code", "--scope", scope)
    assert not (workspace.root / ".claude").exists()


def test_dry_run_shows_the_difference_and_writes_nothing(awf, settings, tmp_path, snapshot):
    settings.parent.mkdir(parents=True)
    settings.write_text('{\n  "model": "opus"\n}\n')
    before = snapshot(tmp_path)

    answer = awf("install", "claude-code", "--dry-run")

    assert snapshot(tmp_path) == before
    assert '+  "model": "opus",' in answer.out.splitlines()
    assert [row.name for row in EVENTS if f'+    "{row.name}": [' not in answer.out] == []
    assert "SKILL.md" in answer.out


def test_a_skill_of_that_name_that_is_not_ours_is_left_alone(awf, settings):
    page = settings.parent / "skills/awf-recap/SKILL.md"
    page.parent.mkdir(parents=True)
    page.write_text("mine")

    assert awf("install", "claude-code").code == 3
    assert page.read_text() == "mine"
    assert not settings.exists()


def test_a_skill_that_someone_changed_stays(awf, settings):
    awf("install", "claude-code")
    page = settings.parent / "skills/awf-recap/SKILL.md"
    page.write_text(page.read_text() + "\nmore of mine\n")

    answer = awf("uninstall", "claude-code")

    assert answer.code == 0
    assert str(page) in answer.err
    assert "more of mine" in page.read_text()


def test_a_program_that_moved_is_registered_anew_and_taken_back_whole(awf, settings):
    settings.parent.mkdir(parents=True)
    settings.write_text('{"model": "opus"}')
    awf("install", "claude-code")
    moved = settings.read_text().replace(json.dumps(program()[0]), '"/old/venv with blanks/bin/awf-archive"')
    settings.write_text(moved)

    awf("install", "claude-code")
    assert {hook["command"] for hooks in ours(settings).values() for hook in hooks} == {program()[0]}
    awf("uninstall", "claude-code")

    assert json.loads(settings.read_text()) == {"model": "opus"}


def test_json_tells_what_changed(awf, settings):
    assert str(settings) in awf("install", "claude-code", "--json").json["changed"]
    assert awf("install", "claude-code", "--json").json == {"changed": [], "kept": [], "dryRun": False}


def test_it_hints_at_trust_where_a_brain_came_from_elsewhere(awf, workspace):
    (workspace.root / ".brain").mkdir()

    assert "awf-archive trust" in awf("install", "claude-code").err


def test_a_settings_folder_that_may_not_be_written_is_an_error_of_the_disk(awf, settings):
    settings.parent.parent.mkdir(parents=True, exist_ok=True)
    settings.parent.write_text("a file where the folder should be")

    assert awf("install", "claude-code").code == 5


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=6).filter(lambda name: name != "hooks"), VALUES, max_size=4),
    st.sampled_from([None, 1, 3, "\t"]),
    st.booleans(),
    st.sampled_from([None, {}, OTHERS, {"Stop": []}, OTHERS | {"PreCompact": []}]),
)
def test_any_settings_stay_what_they_were(value, indent, is_ascii, hooks):
    value = value if hooks is None else value | {"hooks": hooks}
    text = json.dumps(value, indent=indent, ensure_ascii=is_ascii)
    wanted = SETUP.wanted(("/x y/awf-archive",))

    added, made = with_hooks(text, wanted, "settings.json")
    again, _ = with_hooks(added, wanted, "settings.json")
    back = without_hooks(added, "claude-code", "settings.json", made)

    assert again == added
    expected = {event: [*(hooks or {}).get(event, []), group] for event, group in wanted.hooks.items()}
    assert json.loads(added) == value | {"hooks": (hooks or {}) | expected}
    assert json.loads(back) == value


@given(VALUES)
def test_what_json_reads_we_read_alike(value):
    text = json.dumps(value, indent=1)

    assert parsed(text, "").value == value
