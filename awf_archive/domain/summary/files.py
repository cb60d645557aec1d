"""Which files a turn changed and read: from its tool calls in every tool's words, and from edit blocks (SPEC 1.8)."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from awf_archive.domain.tool_lines import calls_in
from awf_archive.domain.transcript import Block, Json, Text, ToolCall

_CHANGING = frozenset(
    [
        *("write", "edit", "multiedit", "notebookedit", "write_file", "writefile", "replace", "edit_file"),
        *(
            "create_file",
            "search_replace",
            "write_to_file",
            "insert_edit_into_file",
            "replace_string_in_file",
        ),
        *("multi_replace_string_in_file", "replace_in_file", "apply_diff", "delete_file"),
        *("str_replace_editor", "str_replace_based_edit_tool"),
    ]
)
_READING = frozenset(
    ["read", "read_file", "readfile", "get_file", "view", "view_file", "notebookread", "open_file"]
)
_PATH_KEYS = ("file_path", "filePath", "path", "target_file", "notebook_path", "filename")
_LOOKS = 20_000
"""Characters of a call's text that are looked at."""

_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (\S[^\n\"\\]*)", re.MULTILINE)
_WRITTEN = re.compile(
    r"(?:\bcat|\btee)\s+(?:-a\s+)?>{0,2}\s*([\w./~-]+\.\w+)\s*<<|<<-?\s*['\"]?\w+['\"]?\s*>{1,2}\s*([\w./~-]+\.\w+)"
)
_EDIT_BLOCK = re.compile(r"^([\w./-]+\.\w+)\n```[^\n]*\n<<<<<<< SEARCH", re.MULTILINE)


def changed(blocks: Iterable[Block]) -> tuple[str, ...]:
    """Return the paths that a turn wrote to, as the calls name them, each once.

    >>> patch = "*** Begin Patch\\n*** Update File: src/a.rs\\n@@"
    >>> changed([ToolCall(id="1", name="apply_patch", input=patch)])
    ('src/a.rs',)
    """
    blocks = tuple(blocks)
    paths = [path for call in calls_in(blocks) if _is_done(call) for path in _changed_by(call)]
    for block in blocks:
        if isinstance(block, Text):
            paths += [match[1] for match in _EDIT_BLOCK.finditer(block.text[:_LOOKS])]
    return tuple(dict.fromkeys(paths))


def read(blocks: Iterable[Block]) -> tuple[str, ...]:
    """Return the paths that a turn opened, as the calls name them, each once."""
    calls = (call for call in calls_in(blocks) if call.name.casefold() in _READING and _is_done(call))
    return tuple(dict.fromkeys(path for call in calls for path in _named(call.input)))


def _is_done(call: ToolCall) -> bool:
    return call.result is None or not call.result.is_error


def _changed_by(call: ToolCall) -> Iterator[str]:
    if call.name.casefold() in _CHANGING:
        yield from _named(call.input)
        return
    for text in texts_of(call.input):
        if "*** " in text:
            yield from (match[1].strip() for match in _PATCHED.finditer(text.replace("\\n", "\n")))
        elif "<<" in text:
            yield from (match[1] or match[2] for match in _WRITTEN.finditer(text))


_IN_SUMMARY = re.compile(r"(?:`([^`\n]+\.\w+)`|\bfile: (\S+))\s*$")


def _named(value: Json) -> Iterator[str]:
    """Yield the path that a call's input names; SpecStory keeps of some calls only a line that ends with it."""
    if not isinstance(value, dict):
        return
    yield from islice((path for key in _PATH_KEYS if isinstance(path := value.get(key), str) and path), 1)
    if match := _IN_SUMMARY.search(str(value.get("summary") or "")):
        yield match[1] or match[2]


def texts_of(value: Json) -> Iterator[str]:
    """Yield the texts of a call's input, the beginning of each."""
    if isinstance(value, str):
        yield value[:_LOOKS]
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts_of(item)


_MENTIONED = re.compile(
    r"(?<![\w/:.@-])(?:[\w.-]+/)*[\w-][\w.-]*\."
    r"(?:py|ipynb|ts|tsx|js|jsx|mjs|vue|svelte|go|rs|java|kt|swift|c|h|cpp|cs|rb|php|sh|sql|md|mdx|rst|txt|json|yaml|"
    r"yml|toml|html|css|scss|xml|ini|cfg|env|csv)\b(?!\.\w)",
    re.IGNORECASE,
)


def mentioned(sentences: Iterable[str]) -> tuple[str, ...]:
    """Return what looks like a file in a turn's words, each once: of use where no tool says what was touched."""
    found = (match[0] for sentence in sentences for match in _MENTIONED.finditer(sentence))
    return tuple(dict.fromkeys(found))


def without_root(paths: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """Return paths relative to the chat's folder where it shows: by the turn file's paths, or by what all share.

    >>> without_root(["/w/shop/src/a.py", "/w/shop/b.py"], [])
    ('src/a.py', 'b.py')
    >>> without_root(["/w/shop/src/a.py"], ["src/a.py"])
    ('src/a.py',)
    """
    given = [path.replace("\\", "/") for path in paths]
    root = _root(given, [path for path in known if not _is_absolute(path)])
    return tuple(dict.fromkeys(path.removeprefix(root) if root else path for path in given))


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or path[1:3] == ":/"


_DEEP = 3
"""Folders from the top, the nameless first one too, from which on a shared one may be the chat's."""


def _root(paths: list[str], known: list[str]) -> str:
    for path in paths:
        for short in known:
            if _is_absolute(path) and path.endswith("/" + short):
                return path.removesuffix(short)
    folders = [path.split("/")[:-1] for path in paths if _is_absolute(path)]
    if len(folders) <= 1:
        return ""
    shared = []
    for parts in zip(*folders, strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return "/".join(shared) + "/" if len(shared) >= _DEEP else ""
