"""Images and documents of a conversation: bytes under the name of their digest, or a link."""

import base64
import binascii
from hashlib import sha256
from typing import NamedTuple

from awf_archive.domain.transcript import Attachment, Block, Json, Link, Unknown
from awf_archive.readers.shared.values import dump, text_at

_ENDINGS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/jpg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/svg+xml": "svg",
    "application/pdf": "pdf",
    "text/plain": "txt",
}
"""Endings we choose ourselves: a stranger's media type never becomes part of a file name."""
_SPACE = str.maketrans("", "", " \t\r\n")


class Media(NamedTuple):
    """A block with the bytes it names."""

    block: Block
    payload: bytes | None = None
    damaged: bool = False
    """The bytes could not be decoded; the block is the raw JSON."""


def read_media(block: Json) -> Media:
    """Turn an image or document block into an attachment, a link, or its JSON."""
    match text_at(block, "source", "type"):
        case "base64":
            return _decoded(block)
        case "text":
            text = text_at(block, "source", "data")
            return _attached(block, text.encode(errors="surrogatepass"))
        case "url":
            media_type = text_at(block, "source", "media_type")
            return Media(Link(url=text_at(block, "source", "url"), media_type=media_type))
        case _:
            return Media(Unknown(kind=text_at(block, "type"), json=dump(block)))


def _decoded(block: Json) -> Media:
    try:
        data = base64.b64decode(text_at(block, "source", "data").translate(_SPACE), validate=True)
    except (binascii.Error, ValueError):
        return Media(Unknown(kind=text_at(block, "type"), json=dump(block)), damaged=True)
    return _attached(block, data)


def _attached(block: Json, data: bytes) -> Media:
    media_type = text_at(block, "source", "media_type")
    ending = _ENDINGS.get(media_type.lower(), "bin")
    attachment = Attachment(
        file=f"{sha256(data).hexdigest()[:16]}.{ending}",
        media_type=media_type,
        name=text_at(block, "title"),
        size=len(data),
    )
    return Media(attachment, data)
