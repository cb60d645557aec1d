"""Masks in turns: in their blocks, in values as JSON, and in whole turn files (docs/secrets.md)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import cast

from awf_archive.domain import turn_file
from awf_archive.domain.redaction import MARK, Allowed, findings, mask, mask_of
from awf_archive.domain.transcript import (
    Attachment,
    Block,
    Json,
    Link,
    Note,
    Prompt,
    SubAgent,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unknown,
)

Mask = Callable[[str], str]


def masked_json(value: Json, change: Mask, name: str = "") -> Json:
    """Return a JSON value with its texts masked; a name such as `password` counts as the word before its value.

    >>> masked_json({"password": "hunter2hunter2", "n": 1}, lambda text: mask(text)[0])
    {'password': '[REDACTED:password]', 'n': 1}
    """
    if isinstance(value, dict):
        return {change(key): masked_json(item, change, key) for key, item in value.items()}
    if isinstance(value, list):
        return [masked_json(item, change, name) for item in value]
    if isinstance(value, bool) or value is None:
        return value
    before = f"{name}: " if name else ""
    whole = f"{before}{value}"
    changed = change(whole)
    return value if changed == whole else changed.removeprefix(before)


def masked_blocks(blocks: Iterable[Block], change: Mask) -> tuple[Block, ...]:
    """Return blocks with their texts masked."""
    return tuple(_CHANGES[type(block)](block, change) for block in blocks)


def _result(block: ToolResult, change: Mask) -> ToolResult:
    return replace(block, blocks=masked_blocks(block.blocks, change))


def _call(block: ToolCall, change: Mask) -> ToolCall:
    result = _result(block.result, change) if block.result else None
    return replace(block, input=masked_json(block.input, change), result=result)


def _agent(block: SubAgent, change: Mask) -> SubAgent:
    return replace(block, description=change(block.description), blocks=masked_blocks(block.blocks, change))


_CHANGES: Mapping[type, Callable[..., Block]] = {
    Text: lambda block, change: replace(block, text=change(block.text)),
    Prompt: lambda block, change: replace(block, text=change(block.text)),
    Thinking: lambda block, change: replace(block, text=change(block.text)),
    Note: lambda block, change: replace(block, text=change(block.text)),
    Unknown: lambda block, change: replace(block, json=change(block.json)),
    Link: lambda block, change: replace(block, url=change(block.url)),
    Attachment: lambda block, change: replace(block, name=change(block.name)),
    ToolCall: _call,
    ToolResult: _result,
    SubAgent: _agent,
}


def masked_file(data: bytes, allowed: Allowed = frozenset()) -> bytes:
    """Return a turn's file with its secrets masked: sizes, digests and the map of blocks fit the new text.

    A file that was edited by hand, or that the original skill wrote, is masked as the plain text it is.
    """
    text = data.decode(errors="surrogateescape")
    if not findings(text, allowed):
        return data
    if not _is_exact(data):
        return mask(text, allowed)[0].encode(errors="surrogateescape")
    change = _Remembering(text, allowed)
    return turn_file.changed(
        data,
        blocks=lambda blocks: masked_blocks(blocks, change),
        header=lambda header: cast("dict[str, Json]", masked_json(header, change)),
    )


def _is_exact(data: bytes) -> bool:
    try:
        return not turn_file.read(data).is_edited
    except ValueError:
        return False


class _Remembering:
    """Masks a text, and in it whatever was found in the whole file: a block may hold a secret without its word."""

    def __init__(self, whole: str, allowed: Allowed) -> None:
        self._allowed = allowed
        found = {(whole[one.start : one.end], one.kind) for one in findings(whole, allowed)}
        self._known = sorted(found, key=lambda one: -len(one[0]))

    def __call__(self, text: str) -> str:
        masked = mask(text, self._allowed)[0]
        for secret, kind in self._known:
            if len(secret) >= _LEAST and secret in masked:
                masked = masked.replace(secret, mask_of(kind))
        return masked


_LEAST = 6
"""A shorter text stands in too many places that are none of its own."""


def same_but_for_masks(masked: bytes, original: bytes) -> bool:
    """Whether a turn's file is another's with masks in it: what stands around them is the same, in order."""
    if MARK.encode() not in masked:
        return False
    one, other = turn_file.read(masked), turn_file.read(original)
    pairs = [(one.user_blocks, other.user_blocks), (one.assistant_blocks, other.assistant_blocks)]
    return not one.is_edited and all(
        _fits_all(list(_texts(ours)), list(_texts(theirs))) for ours, theirs in pairs
    )


def _fits_all(masked: list[str], original: list[str]) -> bool:
    return len(masked) == len(original) and all(map(_fits, masked, original))


def _fits(masked: str, original: str) -> bool:
    """Whether the text around the masks is all there, each part behind the one before."""
    if MARK not in masked:
        return masked == original
    first, *rest = masked.split(MARK)
    parts = [first, *(part.partition("]")[2] for part in rest)]
    if not original.startswith(parts[0]) or not original.endswith(parts[-1]):
        return False
    place = len(parts[0])
    for part in parts[1:-1]:
        found = original.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    return place <= len(original) - len(parts[-1])


def _texts(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield every text of blocks, in an order that masks do not change."""
    for block in blocks:
        match block:
            case ToolCall(input=value, result=result):
                yield from _json_texts(value)
                yield from _texts(result.blocks if result else ())
            case ToolResult(blocks=inner):
                yield from _texts(inner)
            case SubAgent(description=description, blocks=inner):
                yield description
                yield from _texts(inner)
            case Unknown(json=text) | Link(url=text) | Attachment(name=text):
                yield text
            case _:
                yield cast("Text", block).text


def _json_texts(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _json_texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _json_texts(item)
    else:
        yield str(value)
