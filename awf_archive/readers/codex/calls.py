"""Codex's tool calls, their results, and the screen's copies of both, as blocks."""

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from awf_archive.domain.transcript import Block, Json, Origin, Text, ToolResult, Unknown
from awf_archive.readers.shared.collected import Collected
from awf_archive.readers.shared.values import JsonObject, dump, object_at, text_at, value_at

_FAILED = re.compile(r"\A(?:[^\n]*\n){0,3}(?:Process exited with code|Exit code:) (?!0\b)-?\d+", re.MULTILINE)


class Called(NamedTuple):
    """What was called."""

    name: str
    input: Json


def called(payload: Json) -> Called:
    """Read a call of the model's.

    >>> called({"type": "function_call", "name": "shell", "arguments": '{"command": ["ls"]}'})
    Called(name='shell', input={'command': ['ls']})
    """
    kind, name = text_at(payload, "type"), text_at(payload, "name")
    if kind in _OWN_CALLS:
        own, key = _OWN_CALLS[kind]
        return Called(own, _parsed(value_at(payload, key)))
    space = text_at(payload, "namespace")
    whole = f"{space}{name}" if space.endswith("__") or not space else f"{space}.{name}"
    key = "input" if kind == "custom_tool_call" else "arguments"
    value = value_at(payload, key)
    return Called(whole, value if kind == "custom_tool_call" else _parsed(value))


_OWN_CALLS = {
    "local_shell_call": ("local_shell", "action"),
    "web_search_call": ("web_search", "action"),
    "image_generation_call": ("image_generation", "revised_prompt"),
    "tool_search_call": ("tool_search", "arguments"),
}


def _parsed(value: Json) -> Json:
    """Read arguments, which are JSON in a string; what is no JSON stays the string."""
    if not isinstance(value, str):
        return value
    try:
        parsed: Json = json.loads(value, strict=False)
    except (ValueError, RecursionError):
        return value
    return parsed if isinstance(parsed, dict | list) else value


def own_result(payload: Json, collected: Collected, origin: Origin) -> ToolResult | None:
    """Return the image that a call record holds itself."""
    data = text_at(payload, "result")
    if text_at(payload, "type") not in {"image_generation_call", "image_generation_end"} or not data:
        return None
    return ToolResult(blocks=(collected.base64(data, "image/png", "", origin),))


def result(payload: Json, collected: Collected, origin: Origin) -> ToolResult:
    """Read a result of any generation: a text, JSON in a text, parts, or an object."""
    output = value_at(payload, "output")
    if output is None and text_at(payload, "type") == "tool_search_output":
        output = value_at(payload, "tools")
    failed = False
    if isinstance(output, str):
        output, failed = _unwrapped(output)
    elif isinstance(output, dict) and "content" in output:
        failed = output.get("success") is False
        output = output.get("content_items") or output.get("content")
    return ToolResult(blocks=tuple(_blocks(output, collected, origin)), is_error=failed)


def _unwrapped(output: str) -> tuple[str, bool]:
    """Take a text out of the JSON that older versions wrapped around it."""
    if output.startswith("{"):
        wrapped = _parsed(output)
        if isinstance(wrapped, dict) and wrapped.keys() <= {"output", "metadata"} and "output" in wrapped:
            text = wrapped["output"]
            failed = value_at(wrapped, "metadata", "exit_code") not in (0, None)
            return (text, failed) if isinstance(text, str) else (output, failed)
    return output, _FAILED.match(output[:400]) is not None


def _blocks(output: Json, collected: Collected, origin: Origin) -> Iterator[Block]:
    for part in output if isinstance(output, list) else [output]:
        kind = text_at(part, "type")
        text = part if isinstance(part, str) else text_at(part, "text")
        if text and (isinstance(part, str) or kind in _TEXTS):
            yield Text(text=text)
        elif kind in _IMAGE_KEYS:
            yield image(part, collected, origin)
        elif part is not None and not isinstance(part, str):
            yield Unknown(kind=kind, json=dump(part))


_TEXTS = frozenset({"input_text", "inputText", "output_text", "text"})
_IMAGE_KEYS = {
    "input_image": "image_url",
    "inputImage": "imageUrl",
    "image": "image_url",
    "local_image": "path",
    "input_file": "file_data",
}


def image(part: Json, collected: Collected, origin: Origin) -> Block:
    """Turn an image or file of any stream into an attachment, a link, or its JSON."""
    kind = text_at(part, "type")
    keys = (_IMAGE_KEYS.get(kind, ""), "image_url", "path", "data")
    url = next((found for key in keys if (found := text_at(part, key))), "")
    if url and url == text_at(part, "data"):
        return collected.base64(url, text_at(part, "mimeType"), "", origin)
    if not url or kind not in _IMAGE_KEYS:
        return Unknown(kind=kind, json=dump(part))
    return collected.url(url, text_at(part, "filename"), origin)


class Done(NamedTuple):
    """A call as the screen showed it."""

    called: Called
    result: ToolResult | None


def done(payload: Json, collected: Collected, origin: Origin) -> Done:
    """Read the screen's copy of a call."""
    kind = text_at(payload, "type")
    item = payload if isinstance(payload, dict) else {}
    reader = _DONE.get(kind)
    made = reader(item, collected, origin) if reader else Done(Called(kind, item), None)
    return made._replace(result=own_result(payload, collected, origin) or made.result)


def _command(item: JsonObject, _: Collected, __: Origin) -> Done:
    asked: Json = {key: item[key] for key in ("command", "cwd") if key in item}
    printed = text_at(item, "aggregated_output") or text_at(item, "stdout") + text_at(item, "stderr")
    return Done(Called("exec_command", asked), _texts(printed, failed=item.get("exit_code") not in (0, None)))


def _patch(item: JsonObject, _: Collected, __: Origin) -> Done:
    printed = text_at(item, "stdout") + text_at(item, "stderr")
    failed = item.get("success") is False or text_at(item, "status") in {"failed", "declined"}
    return Done(Called("apply_patch", item.get("changes")), _texts(printed, failed=failed))


def _mcp(item: JsonObject, collected: Collected, origin: Origin) -> Done:
    asked = object_at(item, "invocation") or item
    name = f"mcp__{text_at(asked, 'server')}__{text_at(asked, 'tool')}"
    answer = object_at(item, "result", "Ok") or object_at(item, "result")
    error = text_at(item, "result", "Err") or text_at(item, "error", "message")
    blocks = (Text(text=error),) if error else tuple(_blocks(answer.get("content"), collected, origin))
    failed = bool(error) or answer.get("isError") is True or answer.get("is_error") is True
    return Done(Called(name, asked.get("arguments")), ToolResult(blocks=blocks, is_error=failed))


def _search(item: JsonObject, _: Collected, __: Origin) -> Done:
    return Done(Called("web_search", item.get("action") or item.get("query")), None)


def _view(item: JsonObject, _: Collected, __: Origin) -> Done:
    return Done(Called("view_image", {"path": item.get("path")}), None)


def _generated(item: JsonObject, _: Collected, __: Origin) -> Done:
    return Done(Called("image_generation", item.get("revised_prompt")), None)


def _dynamic(item: JsonObject, collected: Collected, origin: Origin) -> Done:
    error = text_at(item, "error")
    blocks = (Text(text=error),) if error else tuple(_blocks(item.get("content_items"), collected, origin))
    answer = ToolResult(blocks=blocks, is_error=item.get("success") is False)
    return Done(Called(text_at(item, "tool"), item.get("arguments")), answer)


def _texts(text: str, *, failed: bool) -> ToolResult:
    return ToolResult(blocks=(Text(text=text),) if text else (), is_error=failed)


_DONE: dict[str, Callable[[JsonObject, Collected, Origin], Done]] = {
    "exec_command_end": _command,
    "CommandExecution": _command,
    "patch_apply_end": _patch,
    "FileChange": _patch,
    "mcp_tool_call_end": _mcp,
    "McpToolCall": _mcp,
    "web_search_end": _search,
    "WebSearch": _search,
    "view_image_tool_call": _view,
    "ImageView": _view,
    "image_generation_end": _generated,
    "ImageGeneration": _generated,
    "dynamic_tool_call_response": _dynamic,
    "DynamicToolCall": _dynamic,
}


def search_key(payload: Json) -> str:
    """Return what tells two searches apart where the record has no id."""
    action = value_at(payload, "action")
    return f"action {json.dumps(action, sort_keys=True)}" if action else ""
