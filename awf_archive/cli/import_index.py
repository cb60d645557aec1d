"""The search index of an import: brought along by a second process while files are read, finished at the end."""

import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from awf_archive.cli import output
from awf_archive.errors import ArchiveError
from awf_archive.services.import_history import Imported, Outcome
from awf_archive.services.import_target import layout_of
from awf_archive.services.processors import available_processors
from awf_archive.store.archive import Archive

_WORTH_IT = 25
"""New conversations for which another process is started: that takes 0.2 s of CPU, indexing them about 2 s."""


@dataclass(slots=True)
class IndexBeside:
    """Follows an import; the index is made of what is saved, so whatever fails here is done at the end."""

    is_wanted: bool = True
    _behind: Counter[Path] = field(default_factory=Counter)
    """New conversations of each workspace since its index was last brought along."""
    _workspaces: set[Path] = field(default_factory=set)
    _process: "subprocess.Popen[bytes] | None" = None

    def tell(self, one: Imported) -> None:
        """Take in what was saved; start a process when there is enough to do and a processor for it."""
        if not self.is_wanted or one.workspace is None or one.outcome is not Outcome.NEW:
            return
        self._workspaces.add(one.workspace)
        self._behind[one.workspace] += 1
        if self._behind[one.workspace] >= _WORTH_IT and not self._is_running() and available_processors() > 1:
            self._behind[one.workspace] = 0
            command = [sys.executable, "-P", "-m", "awf_archive", "index", "update"]
            self._process = subprocess.Popen(  # noqa: S603 - our own program, no shell
                [*command, "--workspace", str(one.workspace)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

    def _is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def finish(self) -> None:
        """Bring every index up to date; if that fails the archive is safe, and a search mends it."""
        if self._process is not None:
            self._process.wait()
        if self._workspaces:
            from awf_archive.services.index import sync
        for root in sorted(self._workspaces):
            try:
                sync(Archive(layout=layout_of(root)), output.progress("index"))
            except ArchiveError as problem:
                output.note(f"{problem.message} {problem.hint}")

    def stop(self) -> None:
        """Let a process that still runs go: each of its commits is whole, and the next search does the rest."""
        if self._process is not None and self._is_running():
            self._process.terminate()
            self._process.wait()
