"""Adding our hooks to the text of a settings file, and finding them again among everybody else's (SPEC 7)."""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from awf_archive.errors import InputError
from awf_archive.integrations.json_text import (
    Entry,
    Node,
    Style,
    parsed,
    rendered,
    style_of,
    with_entry,
    without,
)


class Wanted(NamedTuple):
    """The hooks that a tool's file is to hold."""

    tool: str
    """As it stands behind `awf-archive hook`."""
    hooks: Mapping[str, object]
    """What is added to the list of each event: a group of hooks, or a hook itself."""
    beside: Mapping[str, object] = {}
    """What a new file needs beside them."""


def is_ours(hook: object, tool: str) -> bool:
    """Whether a hook is ours for that tool, wherever the program lies.

    >>> is_ours({"type": "command", "command": "/opt/x y/awf-archive", "args": ["hook", "codex"]}, "codex")
    True
    >>> is_ours({"command": "'/opt/x y/awf-archive' hook codex"}, "codex"), is_ours({"command": "say"}, "codex")
    (True, False)
    """
    if not isinstance(hook, dict) or not isinstance(command := hook.get("command"), str):
        return False
    words = _words(command, hook.get("args"))
    if words[-2:] != ["hook", tool]:
        return False
    name = PurePosixPath(words[0].replace("\\", "/")).name.removesuffix(".exe")
    return name == "awf-archive" or "awf_archive" in words


def _words(command: str, arguments: object) -> list[str]:
    if isinstance(arguments, list):
        return [command, *(str(one) for one in arguments)]
    try:
        return shlex.split(command)
    except ValueError:
        return []


def with_hooks(text: str, wanted: Wanted, name: str) -> tuple[str, list[str]]:
    """Return the text with our hooks, and the names of what was made for them. Raises InputError.

    Where they are there already as wanted the text is returned as it is.
    """
    if not text.strip():
        groups = {event: [group] for event, group in wanted.hooks.items()}
        return rendered({**wanted.beside, "hooks": groups}, Style(), 0) + "\n", ["hooks", *wanted.hooks]
    root = _checked(text, name)
    if _are_there(root, wanted):
        return text, []
    text = without_hooks(text, wanted.tool, name, []) if any(_found(root, wanted.tool)) else text
    made: list[str] = []
    style = style_of(text)
    for event, group in wanted.hooks.items():
        text = _with_group(text, event, group, style, made)
    return text, made


def _with_group(text: str, event: str, group: object, style: Style, made: list[str]) -> str:
    root = parsed(text, "")
    if "hooks" not in root.members:
        made.append("hooks")
        text = with_entry(text, root, Entry(value={}, key="hooks"), 0, style)
        root = parsed(text, "")
    hooks = root.members["hooks"].node
    if event not in hooks.members:
        made.append(event)
        return with_entry(text, hooks, Entry(value=[group], key=event), 1, style)
    return with_entry(text, hooks.members[event].node, Entry(value=group), 2, style)


def without_hooks(text: str, tool: str, name: str, made: list[str] | None) -> str:
    """Return the text without any hook of ours for a tool; what `made` names goes too when nothing is left in it.

    None lets everything go that is left empty. Raises InputError.
    """
    if not text.strip():
        return text
    root = _checked(text, name)
    if not any(_found(root, tool)):
        return text
    while place := next(_found(root, tool), None):
        text = _without_one(text, root, *place)
        root = _checked(text, name)
    if "hooks" not in root.members:
        return text
    for event in [event for event, one in root.members["hooks"].node.members.items() if not one.node.items]:
        if made is None or event in made:
            hooks = _checked(text, name).members["hooks"].node
            text = without(text, hooks, list(hooks.members).index(event))
    root = _checked(text, name)
    if not root.members["hooks"].node.members and (made is None or "hooks" in made):
        text = without(text, root, list(root.members).index("hooks"))
    return text


def _without_one(text: str, root: Node, event: str, group: int, hook: int) -> str:
    groups = root.members["hooks"].node.members[event].node
    inner = groups.items[group].members.get("hooks")
    if inner and len(inner.node.items) > 1:
        return without(text, inner.node, hook)
    return without(text, groups, group)


def _found(root: Node, tool: str) -> Iterator[tuple[str, int, int]]:
    """Yield event, group and place of each hook of ours; one in no group has the place 0."""
    if "hooks" not in root.members:
        return
    for event, member in root.members["hooks"].node.members.items():
        for group, node in enumerate(member.node.items):
            hooks = node.members["hooks"].node.items if "hooks" in node.members else [node]
            for place, hook in enumerate(hooks):
                if is_ours(hook.value, tool):
                    yield event, group, place


def _are_there(root: Node, wanted: Wanted) -> bool:
    """Whether each event has our group as wanted, and no other hook of ours is anywhere."""
    found = list(_found(root, wanted.tool))
    if sorted(event for event, _, _ in found) != sorted(wanted.hooks):
        return False
    groups = root.members["hooks"].node.members
    return all(groups[event].node.items[group].value == wanted.hooks[event] for event, group, _ in found)


def _checked(text: str, name: str) -> Node:
    """Return the settings. Raises InputError where they are not of the shape that the tool reads."""
    root = parsed(text, name)
    hooks = root.value.get("hooks", {}) if isinstance(root.value, dict) else ()
    if not isinstance(hooks, dict):
        where = "the file is no JSON object" if hooks == () else '"hooks" is no object'
        raise InputError(f"{name}: {where}.", "Mend the file; nothing was changed.")
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise InputError(f'{name}: "hooks", "{event}" is no list.', "Mend the file; nothing was changed.")
    return root
