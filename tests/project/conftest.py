"""What the tests of the project itself share."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "samples/claude-code/-home-linh-shop/5d0c7a52-3f0e-4b7e-9a41-2c6f8e1b7d90.jsonl"


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def sample():
    return SAMPLE


@pytest.fixture(scope="session")
def tracked(root):
    """Every file that git knows, or would take."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.check_output(command, cwd=root, text=True).split("\0")
    return [path for path in (root / name for name in names if name) if path.is_file()]


@pytest.fixture(scope="session")
def archived(tmp_path_factory, sample):
    """A workspace into which the sample was saved by the program itself, and the result it printed."""
    workspace = tmp_path_factory.mktemp("workspace")
    (workspace / ".awf-archive").mkdir()
    home = tmp_path_factory.mktemp("home")

    def run(*arguments):
        command = [sys.executable, "-m", "awf_archive", *arguments, "--workspace", str(workspace)]
        environment = {**os.environ, "HOME": str(home), "LC_ALL": "C.UTF-8"}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    result = run("checkpoint", "--transcript", str(sample), "--feature", "payment-retry", "--json")
    return workspace, result, run
