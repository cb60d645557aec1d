"""The JSON of the program `cursor-history`: one session of Cursor's."""

from collections.abc import Iterator

from awf_archive.domain.transcript import Start, Text, Transcript
from awf_archive.errors import InputError
from awf_archive.readers.base import Source
from awf_archive.readers.shared.drafts import Draft, Facts, Talk, transcript
from awf_archive.readers.shared.head import head_of
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.salvage import read_whole
from awf_archive.readers.shared.values import (
    JsonObject,
    called,
    digest,
    dump,
    object_at,
    objects_at,
    text_at,
    utc,
)

_MARKS = (b'"schemaVersion"', b'"messages"', b'"workspace"', b'"source"')


def accepts(source: Source) -> bool:
    """Tell whether it is a session with messages, a workspace, and where they come from."""
    keys = head_of(source, *_MARKS).keys
    return keys.get("session") == "{" and "schemaVersion" in keys


def read(source: Source) -> Iterator[Transcript]:
    """Read the session. Raises InputError when no message in it can be read."""
    log = ProblemLog()
    session = object_at(read_whole(source, log), "session")
    messages = objects_at(session, "messages")
    if log.unreadable and not messages:
        raise InputError(f"{source.name}: no message in it can be read.", "Export the session once more.")
    window = text_at(session, "id") or source.stem
    talk = Talk()
    for message in messages:
        _take(talk, message, window, log)
    facts = Facts(
        format="cursor",
        windows=(window,),
        cwd=text_at(session, "workspace"),
        records=len(messages),
        unreadable=log.unreadable,
        problems=log.problems(),
    )
    yield transcript([draft for draft in talk.finish() if draft.user or draft.assistant], facts)


def _take(talk: Talk, message: JsonObject, window: str, log: ProblemLog) -> None:
    """Put a message where its role's words belong."""
    role, text, time = text_at(message, "role"), text_at(message, "content"), utc(message.get("timestamp"))
    if role not in {"user", "assistant"}:
        log.count("unknown-type", f"Messages of unknown role{called(role)}.", 1)
    is_user = role == "user"
    if is_user or not talk.drafts:
        name = text_at(message, "id") or digest(window, str(len(talk.drafts) + 1), text)
        talk.begin(Draft(id=name, start=Start.PROMPT if is_user else Start.MACHINE, time=time, line=1))
    if text:
        (talk.now.user if is_user else talk.now.assistant).append(Text(text=text))
    talk.now.took(dump(message))
    talk.now.seen(time)
