"""Turn ⇄ turn file, byte for byte (SPEC 1.5; the format is described in `docs/archive-format.md`).

A file is front matter, the user's text under a heading, the assistant's text under a heading, and a comment
with the map of both sides' blocks. Sizes in the front matter say where each text ends, and digests say
whether it is still the text that was saved; so a text may hold headings, rules and comments of this look.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

from awf_archive.domain.escape import json_line, unescape
from awf_archive.domain.ids import SessionId
from awf_archive.domain.tool_lines import calls_in, files_touched, relative_path
from awf_archive.domain.transcript import Block, Json, Text, Turn
from awf_archive.domain.turn_markdown import BlockMap, closing_line, read_blocks, write_blocks
from awf_archive.domain.wording import WORDINGS, Wording

_RULE = "---\n"
_MAP_START = "<!-- awf-archive: where each block lies; made by the program\n"
_MAP_END = "\n-->\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a turn stands in its feature."""

    turn: int
    """Global number."""
    session: SessionId
    local: int
    """Number in the session, from 1."""
    format: str
    cwd: str = ""
    """The folder in which the chat took place: paths in it are written relative to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFile:
    """What a turn file says."""

    header: dict[str, Json]
    """Front matter; empty for files of the original skill."""
    user: str
    assistant: str
    user_blocks: tuple[Block, ...]
    assistant_blocks: tuple[Block, ...]
    is_edited: bool
    """The texts are not those that were saved, or nothing says what was saved."""

    @property
    def files(self) -> tuple[str, ...]:
        """The paths that its tools touched, as the archive shows them."""
        listed = self.header.get("files")
        if self.is_edited or not isinstance(listed, list):
            return files_touched(self.assistant_blocks)
        return tuple(map(str, listed))

    @property
    def time(self) -> str:
        """When the turn started, ISO 8601, or ""."""
        return str(self.header.get("time") or "")


def write(turn: Turn, place: Place, words: Wording) -> bytes:
    """Return the bytes of a turn's file: valid UTF-8, line feeds only, no control character but tab."""
    return _assembled(_header(turn, place), turn.user, turn.assistant, words)


def _assembled(
    known: dict[str, Json], user_side: tuple[Block, ...], assistant_side: tuple[Block, ...], words: Wording
) -> bytes:
    user, user_map = write_blocks(user_side, words)
    assistant, assistant_map = write_blocks(assistant_side, words)
    user_bytes, assistant_bytes = user.encode(), assistant.encode()
    header = known | {
        "userBytes": len(user_bytes),
        "userSha256": _sha256(user_bytes),
        "assistantBytes": len(assistant_bytes),
        "assistantSha256": _sha256(assistant_bytes),
    }
    parts = [
        _RULE,
        *(f"{name}: {_plain(value) or json_line(value)}\n" for name, value in header.items()),
        _RULE,
        f"## {words.user_heading}\n\n",
        user,
        closing_line(user) + "\n\n",
        f"## {words.assistant_heading}\n\n",
        assistant,
        closing_line(assistant) + "\n\n",
        _MAP_START,
        _map_json(user_map, assistant_map),
        _MAP_END,
    ]
    return "".join(parts).encode()


def changed(
    data: bytes,
    blocks: Callable[[tuple[Block, ...]], tuple[Block, ...]],
    header: Callable[[dict[str, Json]], dict[str, Json]],
) -> bytes:
    """Return a file that was not edited with both sides' blocks and its front matter changed."""
    found = read(data)
    heading = _USER_HEADING.search(data.decode())
    words = next(
        one for one in WORDINGS.values() if heading and f"## {one.user_heading}" == heading[0].rstrip()
    )
    return _assembled(header(found.header), blocks(found.user_blocks), blocks(found.assistant_blocks), words)


def renumbered(data: bytes, place: Place) -> bytes:
    """Return a turn's file for another place: only three lines of its front matter change.

    A file without front matter (the original skill's) says nothing of its place and stays as it is.
    """
    head, rule, body = data.partition(b"\n" + _RULE.encode())
    if not rule or not head.startswith(_RULE.encode()):
        return data
    lines = head.split(b"\n")
    for name, value in (("turn", place.turn), ("session", place.session), ("local", place.local)):
        prefix = f"{name}: ".encode()
        lines = [f"{name}: {value}".encode() if line.startswith(prefix) else line for line in lines]
    return b"\n".join(lines) + rule + body


def _header(turn: Turn, place: Place) -> dict[str, Json]:
    """Front matter but for sizes and digests; what is not known is left out."""
    outline, usage = turn.outline, turn.usage
    tools = dict(Counter(call.name for call in calls_in(turn.assistant)))
    tokens: dict[str, Json] = {
        "input": usage.input,
        "output": usage.output,
        "cacheRead": usage.cache_read,
        "cacheWrite": usage.cache_write,
    }
    known: dict[str, Json] = {
        "turn": place.turn,
        "session": place.session,
        "local": place.local,
        "time": outline.time,
        "endTime": turn.end_time,
        "start": outline.start.value,
        "format": place.format,
        "sourceId": outline.id,
        "foreignWindow": outline.foreign,
        "models": list(turn.models),
        "tokens": tokens if any(tokens.values()) else None,
        "tools": cast("Json", tools),
        "files": [relative_path(path, place.cwd) for path in files_touched(turn.assistant)],
    }
    return {name: value for name, value in known.items() if value not in ("", None, [], {})}


_PLAIN = re.compile(
    r"(?!(?i:true|false|null|yes|no|on|off|y|n|nan|infinity)$)[A-Za-z][\w.-]*|\d{4}-\d\d-\d\dT[\d:.]+Z",
    re.ASCII,
)
"""Strings that YAML and we read back without quotes."""


def _plain(value: Json) -> str:
    return value if isinstance(value, str) and _PLAIN.fullmatch(value) else ""


def _map_json(user: BlockMap, assistant: BlockMap) -> str:
    """Write one block a line, so that a diff shows which changed; `>` is escaped: no text ends the comment."""
    sides = []
    for name, blocks in (("user", user), ("assistant", assistant)):
        lines = ",\n".join(json_line(block).replace(">", "\\u003e") for block in blocks)
        sides.append(f'"{name}": [\n{lines}\n]' if lines else f'"{name}": []')
    return "{" + ",\n".join(sides) + "}"


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read(data: bytes) -> TurnFile:
    """Return what a turn file says; a hand-edited one and one of the original skill read too.

    A file whose line ends were converted, as by git, is whole but counts as edited: we write no carriage return.
    Raises ValueError when the bytes are not UTF-8 or hold neither heading.
    """
    written = data.decode()
    text = written.removeprefix("\ufeff").replace("\r\n", "\n")
    header, body_start = _read_header(text)
    if header and (exact := _read_exact(text.encode(), header, len(text[:body_start].encode()))):
        return replace(exact, is_edited=text != written)
    user, assistant = _split_by_headings(_without_map(text[body_start:]))
    return TurnFile(
        header=header,
        user=user,
        assistant=assistant,
        user_blocks=(Text(text=user),) if user else (),
        assistant_blocks=(Text(text=assistant),) if assistant else (),
        is_edited=True,
    )


def _read_header(text: str) -> tuple[dict[str, Json], int]:
    """Return the front matter and where the body begins; a broken line makes the whole header untrusted."""
    if not text.startswith(_RULE):
        return {}, 0
    end = text.find("\n" + _RULE, len(_RULE) - 1)
    if end < 0:
        return {}, 0
    header: dict[str, Json] = {}
    for line in text[len(_RULE) : end].split("\n"):
        name, separator, value = line.partition(": ")
        if not separator:
            return {}, end + 1 + len(_RULE)
        header[name] = _value(value)
    return header, end + 1 + len(_RULE)


def _value(written: str) -> Json:
    try:
        return cast("Json", json.loads(written))
    except ValueError:
        return written


def _read_exact(data: bytes, header: dict[str, Json], start: int) -> TurnFile | None:
    """Follow sizes and digests; None when they do not fit, as after an edit by hand."""
    try:
        user_at = _after_heading(data, start, _USER_HEADING)
        user = _checked(data, user_at, header, "user")
        heading_at = _after_gap(data, user_at, user)
        assistant_at = _after_heading(data, heading_at, _ASSISTANT_HEADING)
        assistant = _checked(data, assistant_at, header, "assistant")
        block_map = _read_map(data[_after_gap(data, assistant_at, assistant) :].decode())
        return TurnFile(
            header=header,
            user=unescape(user.decode()),
            assistant=unescape(assistant.decode()),
            user_blocks=read_blocks(user, block_map["user"]),
            assistant_blocks=read_blocks(assistant, block_map["assistant"]),
            is_edited=False,
        )
    except (ValueError, KeyError, IndexError, TypeError):
        return None


def _after_heading(data: bytes, start: int, heading: re.Pattern[str]) -> int:
    end = data.index(b"\n\n", start)
    if not heading.fullmatch(data[start:end].decode()):
        raise ValueError("a heading is not where it was written")
    return end + 2


def _after_gap(data: bytes, start: int, text: bytes) -> int:
    """Return where the next part begins: between a text and it stands nothing but what we wrote."""
    end = start + len(text)
    if data.startswith(b"\n\n", end):  # no fence was left open: most texts need no second look
        return end + 2
    gap = (closing_line(text.decode()) + "\n\n").encode()
    if not data.startswith(gap, end):
        raise ValueError("something was added behind a text")
    return end + len(gap)


def _checked(data: bytes, start: int, header: dict[str, Json], side: str) -> bytes:
    text = data[start : start + cast("int", header[f"{side}Bytes"])]
    if _sha256(text) != header[f"{side}Sha256"]:
        raise ValueError(f"the {side}'s text is not the one that was saved")
    return text


def _read_map(rest: str) -> dict[str, BlockMap]:
    if not (rest.startswith(_MAP_START) and rest.endswith(_MAP_END)):
        raise ValueError("the map of blocks is not where it was written")
    return cast("dict[str, BlockMap]", json.loads(rest[len(_MAP_START) : -len(_MAP_END)]))


def _without_map(body: str) -> str:
    place = body.rfind(_MAP_START)
    return body if place < 0 else body[:place]


def _split_by_headings(body: str) -> tuple[str, str]:
    """Split at the first user heading and the first assistant heading after it, in any of our languages."""
    user = _USER_HEADING.search(body)
    assistant = _ASSISTANT_HEADING.search(body, user.end() if user else 0)
    if user is None and assistant is None:
        raise ValueError("neither side's heading is there")
    user_text = body[user.end() : assistant.start() if assistant else len(body)] if user else ""
    assistant_text = body[assistant.end() :] if assistant else ""
    return unescape(user_text.strip("\n")), unescape(assistant_text.strip("\n"))


USER_HEADINGS = ("User", "Người dùng", "用户")
ASSISTANT_HEADINGS = ("Assistant", "Trợ lý", "助手")
"""The headings of every language, as `wording` has them: so that reading a file loads no language."""


def _heading(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(r"^## (?:" + "|".join(map(re.escape, names)) + r")[ \t]*$", re.MULTILINE)


_USER_HEADING = _heading(USER_HEADINGS)
_ASSISTANT_HEADING = _heading(ASSISTANT_HEADINGS)
