"""What is collected while one turn is read: bytes of attachments, and the problems met on the way."""

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from awf_archive.domain.transcript import Attachment, Block, Json, Link, Origin, Problem
from awf_archive.readers.shared.source_blocks import read_media

_DATA_URL = re.compile(r"data:([\w.+/-]*)(?:;[^,;]*)*?(;base64)?,", re.IGNORECASE)
_DEFAULT_TYPE = "application/octet-stream"


@dataclass(slots=True)
class Collected:
    """Shared by all conversations of one turn, its sub-agents' too."""

    payloads: dict[str, bytes] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def base64(self, data: str, media_type: str, name: str, origin: Origin) -> Block:
        """Keep the bytes of an image or document and return its block."""
        source: Json = {"type": "base64", "media_type": media_type, "data": data}
        return self._keep({"type": "image", "source": source, "title": name}, origin)

    def url(self, url: str, name: str, origin: Origin) -> Block:
        """Keep the bytes that a `data:` URL holds; any other URL is only pointed at."""
        head = _DATA_URL.match(url)
        if head is None:
            return Link(url=url)
        media_type, data = head[1] or _DEFAULT_TYPE, url[head.end() :]
        if head[2]:
            return self.base64(data, media_type, name, origin)
        source: Json = {"type": "text", "media_type": media_type, "data": unquote(data)}
        return self._keep({"type": "document", "source": source, "title": name}, origin)

    def _keep(self, block: Json, origin: Origin) -> Block:
        media = read_media(block)
        if media.payload is not None and isinstance(media.block, Attachment):
            self.payloads[media.block.file] = media.payload
        if media.damaged:
            message = "An image or document is no valid base64; its JSON is kept."
            self.problems.append(Problem(code="bad-base64", message=message, origin=origin))
        return media.block
