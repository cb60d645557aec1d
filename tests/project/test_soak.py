import json
import os
import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.soak


def run(workspace, *arguments):
    command = [sys.executable, "-m", "awf_archive", *arguments, "--workspace", str(workspace), "--json"]
    environment = {**os.environ, "HOME": str(workspace / "home"), "LC_ALL": "C.UTF-8"}
    return json.loads(subprocess.check_output(command, text=True, env=environment))


def words_of(workspace, last):
    """The texts of every turn, with what the tool calls gave back."""
    shown = [run(workspace, "show", f"shop#{number}") for number in range(1, last + 1)]
    return [(turn["turn"], turn["user"], turn["assistant"]) for turn in shown]


def test_a_conversation_saved_after_each_record_is_the_one_saved_at_its_end(sample, tmp_path):
    lines = sample.read_bytes().splitlines(keepends=True)
    growing = tmp_path / "growing" / sample.name
    growing.parent.mkdir()
    step, whole = tmp_path / "step", tmp_path / "whole"
    for workspace in (step, whole):
        (workspace / ".awf-archive").mkdir(parents=True)

    for count in range(3, len(lines) + 1):
        growing.write_bytes(b"".join(lines[:count]))
        if b'"name":"Task"' in lines[count - 1]:
            shutil.copytree(sample.with_suffix(""), growing.with_suffix(""))
        run(step, "checkpoint", "--auto", "--transcript", str(growing), "--feature", "shop")
    run(whole, "checkpoint", "--transcript", str(sample), "--feature", "shop")

    assert words_of(step, 15) == words_of(whole, 15)
