"""The turns that are searched: the shared corpus, the project's sample and some made-up ones, with stable names.

A turn is named by the format, the file and the window it came from and its id in there, never by its number: so the
judgements hold for any archive of the same files.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from awf_archive.domain.session import Session, TurnEntry
from awf_archive.search.documents import Document, Kind
from awf_archive.services.documents import documents, wanted
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
PROGRAM = Path(sys.executable).with_name("awf-archive")
PLANTED = ("--sessions", "50", "--turns", "12", "--seed", "7")
CHINESE = SHARED / "corpus/spec-context/01-doc-example-v2/.context/manifest.json"
"""An archive of the original skill; an import leaves such folders out unless the file is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn and everything of it that can be found."""

    name: str
    feature: str
    number: int
    title: str
    documents: tuple[Document, ...]


def build(folder: Path) -> None:
    """Import everything into `folder`; a second call finds it done."""
    if (folder / "done").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    environment = os.environ | {"AWF_ARCHIVE_VAULT_DIR": str(folder.with_name(folder.name + "-vault"))}
    with tempfile.TemporaryDirectory() as made:
        maker = SHARED / "bench/make_corpus.py"
        subprocess.run([sys.executable, maker, "--out", made, *PLANTED], check=True, capture_output=True)
        for path, feature in (
            (SHARED / "corpus", ""),
            (CHINESE, "spec-context"),
            (ROOT / "samples/claude-code", "sample"),
            (Path(made), "planted"),
        ):
            chosen = ("--feature", feature) if feature else ()
            command = [PROGRAM, "import", path, "--into", folder, *chosen, "--json"]
            subprocess.run(command, check=True, capture_output=True, env=environment)
    (folder / "done").touch()


def turns(folder: Path) -> Iterator[Turn]:
    """Yield every turn of the workspace that `build` made."""
    archive = Archive(layout=Layout(root=folder))
    for feature in archive.features():
        found: dict[int, list[Document]] = {}
        for key in wanted(archive):
            if key.feature == feature and key.unit.startswith("session-"):
                for document in documents(archive, key):
                    found.setdefault(document.turn, []).append(document)
        for _, session in archive.sessions(feature):
            for entry in session.turns:
                if entry.turn in found:
                    yield Turn(
                        name=_name(session, entry),
                        feature=feature,
                        number=entry.turn,
                        title=entry.title,
                        documents=tuple(one for one in found[entry.turn] if one.kind is Kind.TURN),
                    )


def _name(session: Session, entry: TurnEntry) -> str:
    source = session.source
    return json.dumps([source.format, source.name, source.window, entry.source_id], ensure_ascii=False)
