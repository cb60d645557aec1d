"""One ChatGPT message as blocks: the content types as a table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from awf_archive.domain.transcript import (
    Block,
    Json,
    Link,
    Note,
    NoteKind,
    Text,
    Thinking,
    Unknown,
)
from awf_archive.readers.chatgpt.marks import readable
from awf_archive.readers.shared.drafts import Draft
from awf_archive.readers.shared.exports import BROKEN, Export
from awf_archive.readers.shared.media import attach
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import (
    JsonObject,
    called,
    dump,
    list_at,
    object_at,
    objects_at,
    text_at,
)


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes blocks for one turn."""

    draft: Draft
    export: Export
    log: ProblemLog
    line: int

    def blocks(self, message: JsonObject) -> Iterator[Block]:
        """Yield what a message holds; a type that we do not know is kept as its JSON."""
        content = object_at(message, "content")
        kind = text_at(content, "content_type") or ("text" if "parts" in content else "")
        make = CONTENT.get(kind)
        if make:
            yield from make(self, content, object_at(message, "metadata"))
        elif isinstance(message.get("content"), str):
            yield from _said(str(message["content"]), {})
        elif content:
            yield self.unknown(kind, content)
        yield from self._files(message)

    def unknown(self, kind: str, value: Json) -> Unknown:
        """Keep what we do not know as its JSON, and report its type once."""
        self.log.count("unknown-block", f"Contents of unknown type{called(kind)}.", self.line)
        return Unknown(kind=kind or "unknown", json=dump(value))

    def asset(self, pointer: str, name: str = "", media_type: str = "") -> Block:
        """Return a file of the export, or a link where the export lacks it."""
        file_id = pointer.rsplit("//", 1)[-1].split("?", 1)[0].split("#", 1)[0]
        found = self.export.asset(file_id)
        if found:
            try:
                return attach(self.draft, name or found[0], found[1], media_type)
            except BROKEN:
                self.log.count("damaged-asset", "A file of the export cannot be unpacked.", self.line)
        return Link(url=pointer, media_type=media_type)

    def _files(self, message: JsonObject) -> Iterator[Block]:
        """Yield the files that were sent along and that no part of the content is."""
        shown = {_file_id(text_at(part, "asset_pointer")) for part in list_at(message, "content", "parts")}
        for file in objects_at(message, "metadata", "attachments"):
            file_id, name = text_at(file, "id"), text_at(file, "name")
            if not file_id or file_id not in shown:
                block = self.asset(file_id, name, text_at(file, "mime_type"))
                is_missing = isinstance(block, Link)
                yield _missing(name or file_id) if is_missing else block


def _file_id(pointer: str) -> str:
    return pointer.rsplit("//", 1)[-1].split("?", 1)[0].split("#", 1)[0]


def _missing(name: str) -> Note:
    return Note(kind=NoteKind.NOTICE, text=f"The file {name} is not in the export.")


Make: TypeAlias = Callable[[Maker, JsonObject, JsonObject], Iterator[Block]]


def _said(text: str, metadata: JsonObject) -> Iterator[Block]:
    if text.strip():
        yield Text(text=readable(text, metadata))


def _parts(maker: Maker, content: JsonObject, metadata: JsonObject) -> Iterator[Block]:
    for part in list_at(content, "parts"):
        if isinstance(part, str):
            yield from _said(part, metadata)
        elif isinstance(part, dict):
            kind = text_at(part, "content_type")
            make = PARTS.get(kind)
            yield from make(maker, part, metadata) if make else iter([maker.unknown(kind, part)])
        elif part is not None:
            yield maker.unknown("part", part)


def _image(maker: Maker, part: JsonObject, _metadata: JsonObject) -> Iterator[Block]:
    yield maker.asset(text_at(part, "asset_pointer"), media_type=text_at(part, "mime_type"))


def _spoken(_maker: Maker, part: JsonObject, metadata: JsonObject) -> Iterator[Block]:
    yield from _said(text_at(part, "text"), metadata)


def _voice(maker: Maker, part: JsonObject, _metadata: JsonObject) -> Iterator[Block]:
    """A recording, or sight and sound of a call: whatever of it is a file."""
    for place in (
        part,
        object_at(part, "audio_asset_pointer"),
        object_at(part, "video_container_asset_pointer"),
    ):
        if pointer := text_at(place, "asset_pointer"):
            yield maker.asset(pointer)
    for frame in objects_at(part, "frames_asset_pointers"):
        yield maker.asset(text_at(frame, "asset_pointer"))


def _thoughts(_maker: Maker, content: JsonObject, _metadata: JsonObject) -> Iterator[Block]:
    for thought in objects_at(content, "thoughts"):
        words = [text_at(thought, "summary"), text_at(thought, "content")]
        if text := "\n\n".join(filter(None, words)):
            yield Thinking(text=text)


def _note(kind: NoteKind, *keys: str) -> Make:
    def make(_maker: Maker, content: JsonObject, _metadata: JsonObject) -> Iterator[Block]:
        if text := "\n\n".join(filter(None, (text_at(content, key) for key in keys))):
            yield Note(kind=kind, text=text)

    return make


def _plain(*keys: str) -> Make:
    def make(_maker: Maker, content: JsonObject, metadata: JsonObject) -> Iterator[Block]:
        yield from _said("\n\n".join(filter(None, (text_at(content, key) for key in keys))), metadata)

    return make


def _quote(maker: Maker, content: JsonObject, metadata: JsonObject) -> Iterator[Block]:
    yield from _plain("title", "text")(maker, content, metadata)
    if url := text_at(content, "url"):
        yield Link(url=url)


CONTENT: dict[str, Make] = {
    "text": _parts,
    "multimodal_text": _parts,
    "code": _plain("text"),
    "execution_output": _plain("text"),
    "computer_output": _plain("text"),
    "tether_quote": _quote,
    "sonic_webpage": _quote,
    "tether_browsing_code": _plain("text"),
    "tether_browsing_display": _plain("summary", "result"),
    "thoughts": _thoughts,
    "reasoning_recap": _note(NoteKind.NOTICE, "content"),
    "user_editable_context": _note(NoteKind.CONTEXT, "user_profile", "user_instructions"),
    "model_editable_context": _note(NoteKind.CONTEXT, "model_set_context", "structured_context"),
    "system_error": _note(NoteKind.ERROR, "name", "text"),
}
PARTS: dict[str, Make] = {
    "image_asset_pointer": _image,
    "audio_transcription": _spoken,
    "audio_asset_pointer": _voice,
    "real_time_user_audio_video_asset_pointer": _voice,
    "text": _spoken,
}
