"""Where chat tools keep their conversations, and which files there are transcripts (docs/formats/)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from awf_archive import config
from awf_archive.domain.formats import HISTORY

WORKSPACE = "workspace"
"""Not a tool's folder, but the one in which the command runs: some tools write beside the code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One folder of one tool."""

    tool: str
    """A name that `config.tool_folder` knows, or `WORKSPACE`."""
    format: str
    """The reader's name."""
    patterns: tuple[str, ...]
    """Globs relative to the tool's folder."""


PLACES: tuple[Place, ...] = (
    Place(
        tool="claude-code",
        format="claude-code",
        patterns=("projects/*/*.jsonl", "transcripts/*.jsonl"),
    ),
    Place(
        tool="codex",
        format="codex",
        patterns=(
            "sessions/**/rollout-*.jsonl",
            "sessions/**/rollout-*.jsonl.zst",
            "archived_sessions/rollout-*.jsonl",
            "archived_sessions/rollout-*.jsonl.zst",
        ),
    ),
    Place(
        tool="gemini-cli",
        format="gemini-cli",
        patterns=(
            "tmp/*/chats/session-*.json",
            "tmp/*/chats/session-*.jsonl",
            ".gemini/tmp/*/chats/session-*.json",
            ".gemini/tmp/*/chats/session-*.jsonl",
        ),
    ),
    Place(
        tool="opencode",
        format="opencode",
        patterns=(
            "opencode.db",
            "opencode-*.db",
            "storage/session/*/*.json",
            "project/*/storage/session/info/*.json",
        ),
    ),
    Place(
        tool="cursor",
        format="cursor",
        patterns=("globalStorage/state.vscdb", "workspaceStorage/*/state.vscdb"),
    ),
    Place(
        tool="cursor-cli",
        format="cursor",
        patterns=("projects/*/agent-transcripts/**/*.jsonl", "projects/*/agent-transcripts/**/*.txt"),
    ),
    Place(
        tool="vscode",
        format="copilot",
        patterns=(
            "workspaceStorage/*/chatSessions/*.json",
            "workspaceStorage/*/chatSessions/*.jsonl",
            "globalStorage/emptyWindowChatSessions/*.json",
            "globalStorage/emptyWindowChatSessions/*.jsonl",
            "workspaceStorage/*/GitHub.copilot-chat/transcripts/*.jsonl",
        ),
    ),
    Place(
        tool="copilot-cli",
        format="copilot",
        patterns=("session-state/*/events.jsonl", "session-state/*.jsonl"),
    ),
    Place(tool=WORKSPACE, format="aider", patterns=(".aider.chat.history.md",)),
    Place(tool=WORKSPACE, format="ai-log", patterns=(".ai-log/*.jsonl",)),
    Place(tool=WORKSPACE, format="specstory", patterns=(".specstory/history/*.md",)),
    Place(tool="claude-code", format=HISTORY, patterns=("history.jsonl",)),
)
"""Every known place, the ghosts' last: they are asked for only where nothing better was found.

`formats`, `import` and `doctor` work from here.
"""

_ENDINGS = frozenset([".jsonl", ".json", ".zst", ".zip", ".md", ".txt", ".vscdb", ".db"])
"""What a transcript may be called, when a person names a folder."""

_NOT_TRANSCRIPTS = frozenset(
    [
        *("history.jsonl", "settings.json", "settings.local.json", "sessions-index.json", "logs.json"),
        *("projects.json", "session_index.jsonl", "package.json", "package-lock.json", "tsconfig.json"),
        *(
            "manifest.json",
            "metadata.json",
            "decisions.json",
            "README.md",
            "CHANGELOG.md",
            "MEMORY.md",
            "CLAUDE.md",
        ),
    ]
)
"""Files that tools and projects keep beside transcripts; named one by one they are still read."""

_OTHERS_COMPANIONS = frozenset(
    ["subagents", "tool-results", "node_modules", ".git", ".context", ".awf-archive"]
)
"""Folders whose files belong to another transcript or to no conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A file that may be a transcript."""

    path: Path
    format: str | None = None
    """Known from the place it lies in; None asks the content."""
    is_named: bool = False
    """A person named this very file: if nothing recognises it, that is an error."""


def folder_for(root: Path) -> Callable[[str], Path]:
    """Return where each tool keeps its files on this machine, seen from the workspace `root`."""
    return lambda tool: root if tool == WORKSPACE else config.tool_folder(tool)


def in_places(
    folder_of: Callable[[str], Path], roots: Sequence[Path] = (), places: Sequence[Place] = PLACES
) -> Iterator[Candidate]:
    """Yield the files in every known place; each of `roots` is one more folder to look in, for any tool."""
    seen: set[Path] = set()
    for place in places:
        for folder in dict.fromkeys((folder_of(place.tool), *roots)):
            if place.format == HISTORY and not (folder / "projects").is_dir():
                continue  # another tool's history of the same name
            for path in (found for pattern in place.patterns for found in sorted(folder.glob(pattern))):
                if path not in seen and _is_transcript(path):
                    seen.add(path)
                    yield Candidate(path=path, format=place.format)


def _is_transcript(path: Path) -> bool:
    """Whether a file in its place is one: no sub-agent's, no link, and not the older of two forms of one session."""
    if path.name.startswith("agent-") or path.is_symlink() or not path.is_file():
        return False
    return path.suffix != ".json" or not path.with_suffix(".jsonl").exists()


def in_path(path: Path) -> Iterator[Candidate]:
    """Yield what a person named: the file itself, or what may be a transcript in the folder."""
    if not path.is_dir():
        yield Candidate(path=path, is_named=True)
        return
    if (path / "manifest.json").is_file() and path.name == ".context":
        yield Candidate(path=path / "manifest.json", format="context", is_named=True)
        return
    for found in sorted(path.rglob("*")):
        if found.name == "manifest.json" and found.parent.name == ".context" and found.is_file():
            yield Candidate(path=found, format="context")
        elif found.suffix.lower() in _ENDINGS and _may_be(found, path):
            yield Candidate(path=found)


def _may_be(found: Path, folder: Path) -> bool:
    inside = found.relative_to(folder).parts
    return (
        found.name not in _NOT_TRANSCRIPTS
        and not found.name.startswith("agent-")
        and not _OTHERS_COMPANIONS.intersection(inside[:-1])
        and not any((folder.joinpath(*inside[:depth])).is_symlink() for depth in range(1, len(inside) + 1))
        and found.is_file()
    )
