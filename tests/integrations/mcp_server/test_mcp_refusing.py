import subprocess
import sys

import pytest
from mcp import types
from mcp.shared.exceptions import MCPError

LONG = "x" * 5_000


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("search", {}, "query is empty"),
        ("search", {"query": "a", "limit": 10**9}, "less than or equal to 25"),
        ("search", {"query": LONG}, "at most 2000 characters"),
        ("search", {"query": "a", "colour": "red"}, "It takes: query, feature"),
        ("search", {"query": "a", "kind": "secret"}, "kind"),
        ("search", {"query": "a", "since": "yesterday"}, "7d"),
        ("search", {"query": "a", "cursor": "1; rm -rf"}, "nextCursor"),
        ("search", {"query": "a", "cursor": "9" * 400}, "nextCursor"),
        ("search", {"query": ["a"]}, "valid string"),
        ("get_turns", {}, "place"),
        ("get_turns", {"place": "login#99"}, "holds the turns 1 to 4"),
        ("get_turns", {"place": "nowhere#1"}, "Features with an archive: login"),
        ("get_turns", {"place": "login/session-009"}, "login holds session-001"),
        ("get_turns", {"place": "../../../etc/passwd"}, "path separator"),
        ("get_turns", {"place": "/etc/passwd#1"}, "path separator"),
        ("get_turns", {"place": "login\x00#1"}, "control character"),
        ("get_turns", {"place": "login#" + "9" * 280}, "there is no such turn"),
        ("get_turns", {"place": "login#5-2"}, "ends before it begins"),
        ("get_turns", {"place": "login#1", "maxChars": 10**9}, "20000"),
        ("list_sessions", {"feature": "nowhere"}, "Features with an archive"),
        ("list_sessions", {"limit": 0}, "greater than or equal to 1"),
        ("recap", {"feature": "..\\x"}, "path separator"),
        ("recap", {"level": "everything"}, "short"),
        ("checkpoint", {"feature": "a/b"}, "no conversation of this workspace"),
        ("checkpoint", {"conversation": "../../etc/passwd"}, "no conversation"),
    ],
    ids=lambda one: one if isinstance(one, str) and len(one) < 16 else "",
)
def test_what_makes_no_sense_is_refused_with_what_to_do(reader, name, arguments, says):
    answer = reader.call(name, **arguments)

    assert answer.is_error
    assert says in answer.text
    assert not any(word in answer.text for word in ("Traceback", "pydantic"))
    assert len(answer.text) < 1_000


def test_after_every_refusal_the_next_call_is_answered(reader):
    assert reader.call("get_turns", place="nowhere#1").is_error
    assert not reader.call("get_turns", place="login#1").is_error


def test_null_is_as_good_as_left_out(reader):
    assert not reader.call("search", query="hostile", kind=None, since=None, limit=None).is_error


def test_an_unknown_tool_is_named_with_those_there_are(reader):
    with pytest.raises(MCPError, match="There are: search, recap"):
        reader.call("delete_everything")


@pytest.mark.parametrize(
    "uri", ["awf://login/session-99", "awf://../turn-1", "file:///etc/passwd", "awf://login/..%2f..%2fetc"]
)
def test_an_unknown_resource_is_refused(reader, uri):
    with pytest.raises(MCPError):
        reader.ask("read_resource", uri)


def test_without_an_archive_every_tool_says_what_to_do(tmp_path, server_home, filled, connect):
    root, log = tmp_path / "empty", tmp_path / "stderr"
    root.mkdir()

    async def roots(_context):  # a workspace that was named is not moved by them
        return types.ListRootsResult(roots=[types.Root(uri=filled.root.as_uri())])

    with connect(root, server_home, errors=log, mode="legacy", list_roots_callback=roots) as asker:
        calls = (("search", {"query": "x"}), ("list_sessions", {}), ("recap", {}), ("checkpoint", {}))
        searched, listed, recap, saved = (asker.call(name, **given) for name, given in calls)
        resources = asker.ask("list_resources").resources

    assert (searched.is_error, saved.is_error) == (True, True)
    assert "awf-archive checkpoint" in searched.text
    assert "no conversation of this workspace" in saved.text
    assert (listed.value["sessions"], recap.value["source"], resources) == ([], "nothing", [])
    assert all("checkpoint saves this conversation" in one.text for one in (listed, recap))
    assert list(root.iterdir()) == []
    assert log.read_text(encoding="utf-8") == ""


def test_a_damaged_feature_is_named_and_the_others_are_read(server_home, connect, workspace, talk):
    workspace.save(talk.ask("good words") and talk)
    bad = workspace.layout.manifest("broken")
    bad.parent.mkdir(parents=True)
    bad.write_text("{", encoding="utf-8")
    with connect(workspace.root, server_home) as asker:
        listed = asker.call("list_sessions")
        found = asker.call("search", query="good words")

    assert [one["cite"] for one in listed.value["sessions"]] == ["login/session-001"]
    assert "awf-archive repair" in listed.text
    assert found.value["hits"][0]["cite"] == "login#1"


WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"mcp", "mcp_types"}:
            raise ModuleNotFoundError(name=name)
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name.startswith("mcp") else found(name, package)
sys.meta_path.insert(0, Missing())
from awf_archive.__main__ import main
sys.argv = ["awf-archive", "mcp"]
main()
"""


def test_without_the_extra_it_says_in_one_line_how_to_install_it():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "awf-archive: mcp needs one package more: pip install 'awf-archive[mcp]'\n"


def test_a_workspace_that_is_no_folder_is_refused():
    command = [sys.executable, "-m", "awf_archive", "mcp", "--workspace", "/nowhere"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)

    assert (done.returncode, done.stdout) == (2, "")
    assert "/nowhere: not a folder" in done.stderr
