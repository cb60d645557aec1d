import os
import subprocess
import sys
from pathlib import Path


def demo(root, workspace, *arguments):
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "DEMO_WORKSPACE": str(workspace),
        "HOME": str(workspace.parent),
        "LC_ALL": "C.UTF-8",
    }
    command = ["sh", "tools/demo.sh", *arguments]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


def test_the_demo_archives_finds_and_builds(root, tmp_path):
    done = demo(root, tmp_path / "demo")

    assert done.returncode == 0, done.stderr
    assert "| 15 |" in done.stdout
    for found in ("payment-retry#10", "«指数退避»", "«Exponential» «backoff»"):
        assert found in done.stdout
    assert (
        done.stdout.rstrip().removesuffix("\033[0m").endswith(f"{tmp_path}/demo/.awf-archive/site/index.html")
    )
    assert (tmp_path / "demo/.awf-archive/site/index.html").is_file()


def test_the_demo_takes_a_conversation_of_yours(root, tmp_path, sample):
    mine = tmp_path / "a chat of mine.jsonl"
    mine.write_bytes(sample.read_bytes())

    done = demo(root, tmp_path / "demo", str(mine))

    assert done.returncode == 0, done.stderr
    assert "my-conversation" in done.stdout


def test_the_demo_stops_at_a_file_that_is_not_there(root, tmp_path):
    done = demo(root, tmp_path / "demo", str(tmp_path / "nowhere.jsonl"))

    assert done.returncode == 3
    assert "nowhere.jsonl" in done.stderr
