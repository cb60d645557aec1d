"""Turn files of an archive as drafts of turns."""

from awf_archive.domain.transcript import Json, Start, Usage
from awf_archive.domain.turn_file import TurnFile
from awf_archive.readers.shared.drafts import Draft
from awf_archive.readers.shared.values import list_at, object_at, utc, value_at


def draft_of(turn: TurnFile, name: str) -> Draft:
    """Return what a turn file says; `name` is its id where the file tells none."""
    header: Json = turn.header
    draft = Draft(
        id=str(turn.header.get("sourceId") or name),
        start=_start(turn.header.get("start")),
        time=utc(turn.header.get("time")),
        end_time=utc(turn.header.get("endTime")),
        line=1,
        user=list(turn.user_blocks),
        assistant=list(turn.assistant_blocks),
        models={str(model): None for model in list_at(header, "models")},
        usage=_usage(header),
    )
    draft.took(turn.user, turn.assistant)
    return draft


def _start(value: Json) -> Start:
    return next((start for start in Start if start.value == value), Start.PROMPT)


def _usage(header: Json) -> Usage:
    tokens = object_at(header, "tokens")
    keys = ("input", "output", "cacheRead", "cacheWrite")
    counts = [value_at(tokens, key) for key in keys]
    numbers = [count if isinstance(count, int) else 0 for count in counts]
    return Usage(input=numbers[0], output=numbers[1], cache_read=numbers[2], cache_write=numbers[3])
