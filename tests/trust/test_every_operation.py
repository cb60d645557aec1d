"""Checkpoint with vault, import, move and repair stop at every operation of the disk (SPEC 1.10, issue 4 point 3).

First the process dies there; then the operation fails there, once or as on a disk that stays full. Afterwards the
archive is as before or as after, the same command completes the work, nothing is left behind, all is proven.
"""

import errno
import json
import os
import shutil
from pathlib import Path

import pytest
from faults import Countdown, dies_at

from awf_archive.errors import DiskError, InputError, UsageError
from awf_archive.services.checkpoint import Request
from awf_archive.services.import_history import Plan, import_history
from awf_archive.services.places import Candidate

OTHER = "0000bbbb-1111-4111-8111-00000000000b"
NOW = "2026-03-05T10:00:00Z"
QUESTION = {"question": "Which store?", "header": "Store", "options": [{"label": "Redis"}]}
ANSWER = 'User has answered your questions: "Which store?"="Redis"'
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

pytestmark = pytest.mark.usefixtures("quick_disk")


def _side_file(talk, text="agent"):
    path = talk.path.with_suffix("") / "tool-results/one.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def first_checkpoint(safe, talk, _other):
    """A new session with an image, a decision and a side file."""
    talk.user([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}])
    talk.reply("A pixel.")
    talk.user("choose")
    talk.call("AskUserQuestion", {"questions": [QUESTION]}, ANSWER)
    _side_file(talk)
    return lambda: safe.save(talk.path)


def later_checkpoint(safe, talk, other):
    """An auto-save: growth, an extension, a chunk, new bytes in the vault and a changed side file."""
    safe.save(other.asks(3, "other"))
    talk.user("choose")
    _side_file(talk)
    safe.save(talk.asks(1), extend=True)
    talk.leaf = talk.records[0]["uuid"]
    talk.call("AskUserQuestion", {"questions": [QUESTION]}, ANSWER)
    talk.asks(1)
    _side_file(talk, "agent, grown")
    return lambda: safe.save(talk.path, extend=True)


def importing(safe, _talk, other):
    """A conversation of Claude Code and an export of one."""
    other.asks(1, "other").write()
    export = safe.home / "conversations.json"
    export.write_text(json.dumps([_chatgpt(1)]))

    def run():
        layout = safe.workspace.layout
        request = Request(transcript=Path(), now=NOW, feature="login", vaults=safe.vaults, threshold=5)
        plan = Plan(layout=layout, request=request, into=layout)
        candidates = [Candidate(path=path, is_named=True) for path in (other.path, export)]
        done = []
        import_history(plan, candidates, done.append)
        assert [one.message for one in done if one.message] == []

    return run


def _chatgpt(number):
    said = [("user", f"question {number}"), ("assistant", f"answer {number}")]
    names = [f"node-{number}-{place}" for place in range(2)]
    mapping = {
        name: {
            "id": name,
            "message": {
                "id": name,
                "author": {"role": role},
                "create_time": 1772000000 + number,
                "content": {"content_type": "text", "parts": [text]},
            },
            "parent": names[0] if name == names[1] else None,
            "children": names[1:] if name == names[0] else [],
        }
        for name, (role, text) in zip(names, said, strict=True)
    }
    identity = f"6900000{number}-aaaa-8000-8000-000000000000"
    return {
        "title": "T",
        "create_time": 1,
        "mapping": mapping,
        "current_node": names[1],
        "conversation_id": identity,
    }


def moving(safe, talk, other):
    """A window of two sessions, with a decision, goes to a feature that holds something."""
    safe.save(other.asks(2, "other"), feature="elsewhere")
    talk.user("choose")
    talk.call("AskUserQuestion", {"questions": [QUESTION]}, ANSWER)
    safe.save(talk)
    safe.save(talk.asks(1))

    def run():
        try:
            safe.move(talk.window, "elsewhere")
        except UsageError as problem:
            if "Nothing to move" not in problem.hint:  # it had moved before it died
                raise

    return run


def repairing(safe, talk, other):
    """A lost manifest, a damaged turn, a missing one, changed line ends, rubbish, and a torn ledger."""
    talk.user([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}])
    talk.reply("A pixel.")
    safe.save(talk.asks(2))
    safe.save(other.asks(3, "other"))
    context = safe.workspace.context
    one, two, three, *_ = sorted(context.rglob("turn-*.md"))
    one.write_bytes(b"edited")
    two.unlink()
    three.write_bytes(three.read_bytes().replace(b"\n", b"\r\n"))
    next(context.rglob("*.png")).unlink()
    (context / "manifest.json").write_bytes(b"{")
    (context / ".tmp-0123456789ab-x").write_bytes(b"half")
    with next(safe.vaults.rglob("ledger.jsonl")).open("ab") as ledger:
        ledger.write(b'{"file"')
    return safe.repair


SCENES = (first_checkpoint, later_checkpoint, importing, moving, repairing)


class _Stage:
    """A scene, with the archive before and after as an undisturbed run leaves it."""

    def __init__(self, safe, talk, other, scene):
        self.safe, self.is_repair = safe, scene is repairing
        self.action = scene(safe, talk, other)
        talk.write()
        self.before = safe.home / "before"
        for name in ("workspace", "data"):
            if (safe.home / name).exists():
                shutil.copytree(safe.home / name, self.before / name)
        self.told_before = None if self.is_repair else safe.told()
        self.action()
        self.told_after = safe.told()
        assert safe.findings() == []
        self.set_back()

    def set_back(self):
        for name in ("workspace", "data"):
            shutil.rmtree(self.safe.home / name, ignore_errors=True)
            if (self.before / name).exists():
                shutil.copytree(self.before / name, self.safe.home / name)

    def check(self):
        """As before or as after, turn by turn; then the same command completes it and all is proven."""
        if not self.is_repair:
            self._check_between()
        self.action()
        assert self.safe.told() == self.told_after
        assert self.safe.left_behind() == []
        assert self.safe.findings() == []
        self.set_back()

    def _check_between(self):
        for feature, (turns, _, _, _) in self.safe.told().items():
            known = [*self.told_before.get(feature, ([],))[0], *self.told_after[feature][0]]
            assert [turn for turn in turns if turn not in known] == []
            first = turns[0][0] if turns else 1
            assert [turn[0] for turn in turns] == list(range(first, first + len(turns)))


@pytest.fixture
def stage(request, safe, talk, talk_class, tmp_path):
    other = talk_class(tmp_path / "transcripts/other.jsonl", OTHER)
    return _Stage(safe, talk, other, request.param)


def _on_stage(*scenes):
    return pytest.mark.parametrize("stage", scenes, indirect=True, ids=lambda scene: scene.__name__)


@_on_stage(*SCENES)
def test_a_process_that_dies_at_any_operation_loses_nothing(stage, figures, request):
    operation = 0
    while dies_at(operation, stage.action):
        stage.check()
        operation += 1

    figures(f"died at each of {operation} operations: {request.node.callspec.id}")
    assert operation > 30


@_on_stage(first_checkpoint, later_checkpoint, moving, repairing)
def test_a_disk_that_is_full_from_any_operation_on_loses_nothing(stage, figures, request):
    operations, failed = _fail_at_each(stage, errno.ENOSPC, lasting=True)

    figures(f"full from each of {operations} operations on, {failed} told: {request.node.callspec.id}")
    assert failed > 20


@pytest.mark.soak
@pytest.mark.parametrize(
    ("code", "lasting"),
    [(errno.ENOSPC, True), (errno.EACCES, False), (errno.EIO, False), (errno.EROFS, True)],
    ids=["full", "refused", "broken once", "read-only"],
)
@_on_stage(*SCENES)
def test_an_operation_that_fails_in_any_way_loses_nothing(stage, figures, request, code, lasting):
    operations, failed = _fail_at_each(stage, code, lasting=lasting)

    figures(f"failed at each of {operations} operations, {failed} told: {request.node.callspec.id}")
    assert failed > 20


def _fail_at_each(stage, code, *, lasting):
    """Let each operation fail in turn; return how many there were, and how many were told as errors."""
    operation = failed = 0
    while True:
        countdown = Countdown(operation, lambda: _raise(code), lasting=lasting)
        with pytest.MonkeyPatch.context() as patch:
            countdown.install(lambda name, new: patch.setattr(os, name, new))
            failed += _fails(stage.action)
        if not countdown.reached:
            return operation, failed
        stage.check()
        operation += 1


def _fails(action):
    """Whether an action says that something went wrong; it must be the disk's, or a source that cannot be read."""
    try:
        action()
    except (DiskError, InputError):
        return True
    return False


def _raise(code):
    raise OSError(code, os.strerror(code))
