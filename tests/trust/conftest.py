"""What the tests of trust share: a folder in memory, the program as a real process, and figures that are printed."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from awf_archive.domain.wording import choose
from awf_archive.services.keep import existing_vault
from awf_archive.services.move import Moving, move
from awf_archive.services.repair import Repairing, repair
from awf_archive.services.verify import verify

LATER = "2026-03-06T10:00:00Z"


@pytest.fixture
def tmp_path(tmp_path):
    """In memory where the system has such a folder: these tests make and remove thousands of files."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory, prefix="awf-archive-") as folder:
        yield Path(folder)


@pytest.fixture
def quick_disk(monkeypatch):
    """A process that dies loses nothing of the page cache: what fsync is for needs a power cut."""
    monkeypatch.setattr("os.fsync", lambda _descriptor: None)
    monkeypatch.setattr("awf_archive.store.lock.UNCLAIMED", 0.0)
    monkeypatch.setattr("awf_archive.store.lock._POLL", 0.001)


class Safe:
    """A workspace with a vault, asked through the services."""

    def __init__(self, workspace, home):
        self.workspace, self.home = workspace, home
        self.vaults = home / "data/vault"

    def save(self, talk, **options):
        return self.workspace.save(talk, **{"vaults": self.vaults, "threshold": 5} | options)

    def repair(self):
        repairing = Repairing(
            archive=self.workspace.archive, vault=self.vault, now=LATER, words=choose("en"), threshold=5
        )
        return repair(repairing)

    def move(self, window, target):
        return move(
            Moving(archive=self.workspace.archive, now=LATER, words=choose("en"), threshold=5), window, target
        )

    @property
    def vault(self):
        return existing_vault(self.workspace.layout, self.vaults)

    def report(self):
        return verify(self.workspace.archive, self.vault, threshold=5)

    def findings(self):
        return [(one.code, one.path, one.message) for one in self.report().findings]

    def told(self):
        """Everything that readers are told of the archive, feature by feature."""
        archive = self.workspace.archive
        told = {}
        for feature in archive.features():
            manifest = archive.require(feature)
            chunks = [archive.chunk(feature, one) for one in manifest.chunks]
            decisions = [(one.id, one.text, one.turn) for one in archive.decisions(feature)]
            moved = [(one.turn_range, one.feature, one.start) for one in manifest.moved]
            told[feature] = (self.workspace.turns(feature), chunks, decisions, moved)
        return told

    def left_behind(self):
        """Temporary files, locks and segments that nothing names, wherever they lie."""
        roots = (self.workspace.root, self.home / "data")
        found = [
            path for root in roots for path in root.rglob("*") if "conversations/set-aside" not in str(path)
        ]
        names = [path for path in found if path.name.startswith(".tmp-") or path.name == "lock"]
        if self.vault:
            names += [one for window in self.vault.windows() for one in window.unnamed(window.segments())]
            names += self.vault.root.rglob("set-aside")
        return names


@pytest.fixture
def safe(workspace, tmp_path):
    return Safe(workspace, tmp_path)


@pytest.fixture
def figures(capsys):
    """Print what was counted, also when the test passes: docs/trust.md holds these figures."""

    def told(line):
        with capsys.disabled():
            sys.stdout.write(f"\n  {line}\n")

    return told


@pytest.fixture
def program(tmp_path):
    """Start the program as a process of its own; return it."""
    environment = {
        **{
            name: value for name, value in os.environ.items() if not name.startswith(("AWF_ARCHIVE_", "XDG_"))
        },
        "HOME": str(tmp_path / "home"),
        "AWF_ARCHIVE_DATA_HOME": str(tmp_path / "data"),
        "AWF_ARCHIVE_CONFIG_HOME": str(tmp_path / "config"),
        "CLAUDE_CONFIG_DIR": str(tmp_path / "claude"),
        "LC_ALL": "C.UTF-8",
    }

    def start(root, *arguments):
        command = [sys.executable, "-m", "awf_archive", *map(str, arguments), "--workspace", str(root)]
        return subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=root, text=True
        )

    return start
