"""A large export is read conversation by conversation, never as a whole (issue 3, point 3)."""

import json
import subprocess
import sys
import time

import pytest

_LIMIT = 400
"""MB."""
_RUN = """
import os, pathlib, re, sys
os.fsync = lambda _descriptor: None
from awf_archive import cli
from awf_archive.cli import import_cmd
if sys.argv[2] == "no index":  # it takes three quarters of the time, and holds one batch whatever the export
    import_cmd._follow = lambda _workspaces: None
code = cli.run(["import", sys.argv[1], "--json"])
status = pathlib.Path("/proc/self/status").read_text()  # `getrusage` tells the parent's peak where that was larger
print(code, int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]) // 1024, file=sys.stderr)
"""


def export(path, megabytes, each):
    """Write a ChatGPT export of conversations of `each` kilobytes; return how many they are."""
    words = "Một câu trả lời dài, 一个很长的回答, a long answer. " * (each * 1000 // 70)
    count = megabytes * 1000 // each
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for number in range(count):
            mapping, parent = {}, None
            for step, (role, text) in enumerate((("user", f"prompt {number}"), ("assistant", words))):
                name = f"{number}-{step}"
                message = {
                    "id": name, "author": {"role": role, "name": None, "metadata": {}}, "create_time": 1.77e9 + number,
                    "content": {"content_type": "text", "parts": [text]}, "status": "finished_successfully",
                    "weight": 1, "metadata": {}, "recipient": "all",
                }  # fmt: skip
                mapping[name] = {"id": name, "message": message, "parent": parent, "children": []}
                if parent:
                    mapping[parent]["children"] = [name]
                parent = name
            talk = {
                "title": f"talk {number}",
                "create_time": 1.77e9,
                "update_time": 1.77e9,
                "mapping": mapping,
            }
            talk |= {"current_node": parent, "conversation_id": f"c-{number}", "id": f"c-{number}"}
            file.write(("," if number else "") + json.dumps(talk, ensure_ascii=False))
        file.write("]")
    return count


@pytest.mark.parametrize(
    ("megabytes", "each", "index"),
    [
        pytest.param(60, 2000, "no index", id="60 MB"),
        pytest.param(1000, 1000, "no index", id="1 GB", marks=pytest.mark.soak),
        pytest.param(200, 1000, "index", id="200 MB with its index", marks=pytest.mark.soak),
    ],
)
def test_memory_does_not_grow_with_the_export(tmp_path, megabytes, each, index):
    path = tmp_path / "conversations.json"
    count = export(path, megabytes, each)
    (tmp_path / "work/.awf-archive").mkdir(parents=True)
    home = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    started = time.monotonic()

    done = subprocess.run(
        [sys.executable, "-c", _RUN, str(path), index], cwd=tmp_path / "work", env=home, capture_output=True, text=True, check=True
    )  # fmt: skip

    totals = json.loads(done.stdout)["totals"]
    code, megabytes_used = map(int, done.stderr.split()[-2:])
    assert (code, totals["new"], totals["turns"]) == (0, count, count)
    print(f"{path.stat().st_size / 1e6:.0f} MB: {megabytes_used} MB, {time.monotonic() - started:.0f} s")  # noqa: T201
    assert megabytes_used < _LIMIT
