"""Makes docs/examples/: ten summaries of conversations, as the program writes them (docs/summaries.md).

`.venv/bin/python tools/make_examples.py` needs `../shared/corpus`; `--check` says whether the pages are up to date.
"""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from awf_archive.domain.summary import chunk_text
from awf_archive.domain.wording import WORDINGS
from awf_archive.readers import identify
from awf_archive.services.belongings import belongings
from awf_archive.services.checkpoint import Request, save_transcript
from awf_archive.services.chunk_turns import gist, turns_of
from awf_archive.services.sources import opened
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout

ROOT = Path(__file__).parents[1]
CORPUS = ROOT.parent / "shared/corpus"
FOLDER = ROOT / "docs/examples"
_NOW = "2026-03-05T10:00:00Z"


@dataclass(frozen=True)
class Example:
    """One page: which turns of which conversation of the corpus, and in which language."""

    name: str
    file: str
    conversation: int
    """Which one of the file, from 1."""
    turns: tuple[int, int]
    language: str


MADE = "benchmarks/quality/conversations"
"""Conversations written for the labelled set: the corpus has few long ones in Vietnamese and Chinese."""

EXAMPLES = (
    Example("01-vi-fine-tuning-on-colab", "ai-log/02-opencode-hooks-vi.jsonl", 1, (1, 24), "vi"),
    Example("02-vi-frontend-and-git", "ai-log/01-claude-hooks-vi.jsonl", 3, (1, 10), "vi"),
    Example("03-vi-warehouse-app", f"{MADE}/vi-01-claude-code.jsonl", 1, (1, 13), "vi"),
    Example(
        "04-zh-blocking-users", "spec-context/01-doc-example-v2/.context/manifest.json", 1, (1, 10), "zh"
    ),
    Example("05-zh-ticket-search", f"{MADE}/zh-01-claude-code.jsonl", 1, (1, 20), "zh"),
    Example("06-zh-slides-to-pdf", f"{MADE}/zh-02-codex.jsonl", 1, (1, 20), "zh"),
    Example("07-en-print-kit-gui", "codex/01-v0.34.0-63prompts.jsonl", 1, (1, 20), "en"),
    Example("08-en-checkpoint-bug", "claude-code/27-v2.1.14-2-compactions.jsonl", 1, (1, 20), "en"),
    Example("09-en-rename-to-gitsync", "claude-code/34-v2.1.121-27prompts.jsonl", 1, (1, 20), "en"),
    Example("10-en-monte-carlo", "chatgpt-export/01-tools-real.json", 1, (1, 8), "en"),
)


def page(example: Example) -> str:
    """Return one page: where it comes from, then the chunk file as it would be written."""
    with tempfile.TemporaryDirectory() as folder:
        layout = Layout(root=Path(folder))
        (layout.root / ".awf-archive").mkdir()
        path = (ROOT if example.file.startswith(MADE) else CORPUS) / example.file
        with opened(path) as source:
            transcript = list(identify(source).read(source))[example.conversation - 1]
            request = Request(transcript=path, now=_NOW, feature="example", language=example.language)
            save_transcript(layout, transcript, request, belongings(source, transcript, is_shared=False))
        archive = Archive(layout=layout)
        manifest = archive.require("example")
        first, last = example.turns
        gists = [gist(entry, turn) for entry, turn in turns_of(archive, "example", manifest, example.turns)]
        decisions = [one for one in archive.decisions("example") if first <= one.turn <= last]
        text = chunk_text(1, example.turns, gists, decisions, words=WORDINGS[example.language])
    place = f"`{example.file}`, conversation {example.conversation}, turns {first}–{last}"
    kind = (
        "a conversation written for the labelled set, not a real one"
        if example.file.startswith(MADE)
        else "of the corpus"
    )
    return f"<!-- Made by tools/make_examples.py from {place}, {kind}; not edited. -->\n\n{text}"


def main() -> int:
    """Write every page, or with `--check` say which ones are not up to date."""
    stale = []
    FOLDER.mkdir(exist_ok=True)
    for example in EXAMPLES:
        path, text = FOLDER / f"{example.name}.md", page(example)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.name)
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
    print("\n".join(stale) or "up to date")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
