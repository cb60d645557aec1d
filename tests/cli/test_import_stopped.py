"""An import that is stopped or killed at any moment goes on when it is run again (issue 3, point 3)."""

import os
import signal
import subprocess
import sys
import time

import pytest

CONVERSATIONS = 16


@pytest.fixture
def machine(tmp_path, workspace, talk_class):
    """A home with conversations of this workspace and of a folder that is gone; how the program is started."""
    home = tmp_path / "home"
    for number in range(CONVERSATIONS):
        window = f"0000aaaa-1111-4111-8111-0000000000{number:02d}"
        cwd = str(workspace.root) if number % 2 else "/gone/shop"
        path = home / "claude/projects/-p" / f"{window}.jsonl"
        talk_class(path, window, cwd).asks(3, f"talk {number} turn").write()
    wanted = {name: value for name, value in os.environ.items() if not name.startswith("AWF_ARCHIVE_")}
    wanted |= {
        "HOME": str(home),
        "CLAUDE_CONFIG_DIR": str(home / "claude"),
        "AWF_ARCHIVE_CONFIG_HOME": str(home / "config"),
        "AWF_ARCHIVE_DATA_HOME": str(home / "data"),
        "LC_ALL": "C.UTF-8",
    }
    return wanted


def start(machine, workspace, *words):
    return subprocess.Popen(
        [sys.executable, "-m", "awf_archive", "import", *words],
        cwd=workspace.root,
        env=machine,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def prompts(workspace):
    return sorted(user for name in workspace.archive.features() for _, user, *_ in workspace.turns(name))


def saved(workspace):
    return len(list(workspace.layout.archive.glob("*/.context/conversations/sessions/session-*")))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl+C", "killed"])
def test_it_goes_on_where_it_was_stopped(machine, workspace, how):
    codes = set()
    for stop in (1, 4, 7, 11):
        process = start(machine, workspace)
        deadline = time.monotonic() + 60
        while saved(workspace) < stop and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        process.send_signal(how)
        out, err = process.communicate(timeout=60)
        codes.add(process.returncode)
        if process.returncode == 130:
            assert (out, "Stopped. What was saved is saved" in err) == ("", True)

    done = start(machine, workspace, "--json")
    out, err = done.communicate(timeout=120)

    assert (done.returncode, err) == (0, "")
    assert codes <= {130, -signal.SIGKILL, 0, -signal.SIGINT}
    wanted = [f"talk {talk} turn {turn}" for talk in range(CONVERSATIONS) for turn in (1, 4, 7)]
    assert prompts(workspace) == sorted(wanted)
    assert sorted(workspace.archive.features()) == ["general", "shop"]
    check = subprocess.run(
        [sys.executable, "-m", "awf_archive", "verify", "--json"],
        cwd=workspace.root, env=machine, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert check.returncode == 0, check.stdout
