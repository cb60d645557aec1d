"""Skills and the plugin: a topic never meets a shell, and what is shipped is what the tables say (issue 7)."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from awf_archive.integrations import plugin, skills

EVIL = [
    "`touch pwned`",
    "$(touch pwned)",
    "'; touch pwned; '",
    '"; touch pwned; "',
    "\\`touch pwned\\` && touch pwned",
    "a | touch pwned > pwned",
    skills.END,
    "--workspace=/ --budget 0 -not --help",
    "!`touch pwned`",
]


def block(page):
    """Return the shell lines of a skill's page."""
    return re.search(r"^```\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[1]


@pytest.mark.parametrize("topic", EVIL)
def test_a_topic_never_meets_a_shell(tmp_path, topic):
    recorder = tmp_path / "bin dir/awf-archive"
    recorder.parent.mkdir()
    recorder.write_text(
        f"#!{sys.executable}\nimport sys\nopen('got', 'w').write(repr((sys.argv[1:], sys.stdin.read())))\n"
    )
    recorder.chmod(0o755)
    lines = block(skills.page(skills.SKILLS[0], "awf-recap", shlex.quote(str(recorder))))

    subprocess.run(
        ["bash", "-c", lines.replace("TOPIC\n", f"{topic}\n", 1)],
        cwd=tmp_path,
        check=False,
        capture_output=True,
    )

    expected = "" if topic == skills.END else f"{topic}\n"
    assert (tmp_path / "got").read_text() == repr((["skill", "recap"], expected))
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("skill", skills.SKILLS, ids=lambda skill: skill.name)
def test_no_page_lets_the_tool_run_what_a_person_pasted(skill):
    page = skills.page(skill, "x", "awf-archive")

    assert "$ARGUMENTS" not in page
    assert not re.search(r"\$\d|!`", page)


@pytest.mark.parametrize("topic", [one for one in EVIL if one != skills.END])
def test_the_program_takes_a_topic_from_stdin_as_text(tool, topic):
    answer = tool.run("skill", "recap", text=topic)

    assert answer.code == 1
    assert "Traceback" not in answer.err
    assert list(tool.root.glob("pwned")) == []


def test_skills_answer_as_the_commands_do(tool, conversation):
    conversation.ask("We need a database for the shop", "Use SQLite.")
    conversation.write()

    saved = tool.run("skill", "checkpoint", text="shop\n")
    found = tool.run("skill", "recap", text="database\n")
    resumed = tool.run("skill", "resume", text="")
    level = tool.run("skill", "recap", text="TOPIC\n")

    assert "| shop |" in saved.out.replace("  ", " ")
    assert "SQLite" in resumed.out
    assert "shop#1" in found.out
    assert level.code == tool.run("recap").code


def test_a_feature_name_that_leads_out_is_refused(tool, conversation):
    conversation.asks(1).write()

    assert tool.run("skill", "checkpoint", text="../../etc").code == 2


@pytest.fixture(scope="module")
def repository():
    from pathlib import Path

    return Path(__file__).resolve().parents[2]


def test_the_plugin_in_the_repository_is_what_the_tables_make(repository):
    stale = [name for name, text in plugin.files() if (repository / name).read_text(encoding="utf-8") != text]
    made = {name for name, _ in plugin.files()}
    there = {
        path.relative_to(repository).as_posix()
        for path in (repository / "plugin").rglob("*")
        if path.is_file()
    }

    assert stale == []
    assert there == {name for name in made if name.startswith("plugin/")}


def test_the_plugin_s_hooks_call_the_program_without_a_shell(repository):
    hooks = json.loads((repository / "plugin/hooks/hooks.json").read_bytes())["hooks"]
    calls = [hook for groups in hooks.values() for group in groups for hook in group["hooks"]]

    assert {(call["command"], tuple(call["args"])) for call in calls} == {
        ("awf-archive", ("hook", "claude-code"))
    }


@pytest.mark.skipif(
    not (shutil.which("claude") or os.environ.get("CLAUDE_CODE_BINARY")),
    reason="Claude Code is not installed here; CLAUDE_CODE_BINARY names one",
)
@pytest.mark.parametrize("place", ["plugin", "."])
def test_the_tool_s_own_validator_accepts_it(repository, tmp_path, place):
    program = os.environ.get("CLAUDE_CODE_BINARY") or shutil.which("claude")

    done = subprocess.run(
        [program, "plugin", "validate", "--strict", str(repository / place)],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert "Validation passed" in done.stdout, done.stdout + done.stderr
