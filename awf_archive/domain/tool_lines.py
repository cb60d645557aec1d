"""One telling line for a tool call, and the files it touched: known tools by table, others by their first words."""

from collections.abc import Iterable, Iterator, Mapping

from awf_archive.domain.transcript import Block, Json, SubAgent, ToolCall

TELLING: Mapping[str, tuple[str, ...]] = {
    "Bash": ("command",),
    "Read": ("file_path",),
    "Write": ("file_path",),
    "Edit": ("file_path",),
    "MultiEdit": ("file_path",),
    "NotebookEdit": ("notebook_path",),
    "Glob": ("pattern", "path"),
    "Grep": ("pattern", "path"),
    "LS": ("path",),
    "Task": ("subagent_type", "description"),
    "Agent": ("subagent_type", "description"),
    "WebFetch": ("url",),
    "WebSearch": ("query",),
    "Skill": ("skill", "args"),
}
"""Which parameters tell what a call is about, per tool."""

FILE_PARAMETERS: Mapping[str, str] = {
    "Write": "file_path",
    "Edit": "file_path",
    "MultiEdit": "file_path",
    "NotebookEdit": "notebook_path",
    "Read": "file_path",
}
"""Which parameter names the file a tool reads or changes."""

EDITING_TOOLS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})

_LINE_LIMIT = 120


def one_line(text: str, limit: int = _LINE_LIMIT) -> str:
    """Return `text` on one line of at most `limit` characters; what was cut is marked with `…`.

    >>> one_line("a\\n  b"), one_line("abcdef", 4)
    ('a b', 'abc…')
    """
    line = " ".join(text[: limit * 4].split())
    return line if len(line) <= limit and len(text) <= limit * 4 else line[: limit - 1] + "…"


def tool_line(name: str, value: Json) -> str:
    """Return the tool's name and its telling argument on one line.

    >>> tool_line("Bash", {"command": "npm test\\n", "timeout": 5})
    'Bash: npm test'
    """
    return f"{name}: {argument}" if (argument := tool_argument(name, value)) else name


def tool_argument(name: str, value: Json) -> str:
    """Return what a call is about on one line; empty when nothing tells."""
    if not isinstance(value, dict):
        return one_line(str(value)) if value else ""
    telling = [value[key] for key in TELLING.get(name, ()) if key in value] or [
        item for item in value.values() if isinstance(item, str)
    ][:1]
    return one_line(" · ".join(str(item) for item in telling))


def calls_in(blocks: Iterable[Block]) -> Iterator[ToolCall]:
    """Yield every tool call, those of sub-agents too, in order."""
    for block in blocks:
        if isinstance(block, ToolCall):
            yield block
        elif isinstance(block, SubAgent):
            yield from calls_in(block.blocks)


def relative_path(path: str, folder: str) -> str:
    r"""Return a path as the archive's files hold it: with `/`, relative to the chat's folder where it lies in it.

    >>> relative_path("/w/src/a.py", "/w"), relative_path("/etc/hosts", "/w")
    ('src/a.py', '/etc/hosts')
    >>> relative_path("C:\\w\\src\\a.py", "C:\\w")
    'src/a.py'
    """
    if "\\" in folder:
        path, folder = path.replace("\\", "/"), folder.replace("\\", "/")
    return path.removeprefix(folder.rstrip("/") + "/") if folder else path


def files_touched(blocks: Iterable[Block], tools: frozenset[str] | None = None) -> tuple[str, ...]:
    """Return the paths that calls name, each once, in order of first touch; `tools` narrows it."""
    paths: dict[str, None] = {}
    for call in calls_in(blocks):
        if tools is not None and call.name not in tools:
            continue
        parameter = FILE_PARAMETERS.get(call.name)
        if parameter and isinstance(call.input, dict) and isinstance(path := call.input.get(parameter), str):
            paths[path] = None
    return tuple(paths)
