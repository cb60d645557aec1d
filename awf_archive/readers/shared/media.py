"""Bytes of images, documents and recordings, under the name of their digest."""

from collections.abc import Callable
from hashlib import sha256

from awf_archive.domain.transcript import Attachment
from awf_archive.readers.shared.drafts import Draft

_MAGIC: tuple[tuple[bytes, int, str, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", 0, "image/png", "png"),
    (b"\xff\xd8\xff", 0, "image/jpeg", "jpg"),
    (b"GIF8", 0, "image/gif", "gif"),
    (b"WEBP", 8, "image/webp", "webp"),
    (b"WAVE", 8, "audio/wav", "wav"),
    (b"%PDF", 0, "application/pdf", "pdf"),
)
"""Signatures, where they stand, and the media type and ending that we choose for them."""


def attach(draft: Draft, name: str, fetch: Callable[[], bytes], media_type: str = "") -> Attachment:
    """Make bytes an attachment of a turn; they are read now for their digest, and again with the turn."""
    data = fetch()
    known, ending = media_type_of(data)
    attachment = Attachment(
        file=f"{sha256(data).hexdigest()[:16]}.{ending}",
        media_type=known or media_type or "application/octet-stream",
        name=name,
        size=len(data),
    )
    draft.payloads[attachment.file] = fetch
    return attachment


def attach_text(draft: Draft, name: str, text: str) -> Attachment:
    """Make a text that came as a file an attachment of a turn."""
    data = text.encode(errors="surrogatepass")
    file = f"{sha256(data).hexdigest()[:16]}.txt"
    draft.payloads[file] = lambda: data
    return Attachment(file=file, media_type="text/plain", name=name, size=len(data))


def media_type_of(data: bytes) -> tuple[str, str]:
    """Return what bytes are and the ending for them, by their signature and not by a stranger's word.

    >>> media_type_of(b"%PDF-1.7"), media_type_of(b"?")
    (('application/pdf', 'pdf'), ('', 'bin'))
    """
    for magic, place, media_type, ending in _MAGIC:
        if data.startswith(magic, place):
            return media_type, ending
    return "", "bin"
