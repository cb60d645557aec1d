"""Short marks on documents by which filters find them: `f:` feature, `s:` session, `t:` tool, `p:` path."""

from collections.abc import Iterator

from awf_archive.search.analysis import fold
from awf_archive.search.documents import Document
from awf_archive.search.filters import Filters

_MAX_TAILS = 8
"""Folders that may be left out at the front of a path in `file:`."""


def facets(document: Document) -> Iterator[str]:
    """Yield a document's facets; one may come twice.

    >>> from awf_archive.search.documents import Kind
    >>> list(facets(Document(kind=Kind.TURN, feature="Đăng", session="session-001", files=("a/b.py",))))
    ['f:dang', 's:session-001', 'p:a/b.py', 'p:b.py', 'p:a/b.py']
    """
    yield "f:" + fold(document.feature)
    yield "s:" + document.session.lower()
    for tool in document.tools:
        yield "t:" + fold(tool)
    for path in document.files:
        folders = fold(path.replace("\\", "/")).strip("/").split("/")
        for skipped in range(min(len(folders), _MAX_TAILS)):
            yield "p:" + "/".join(folders[skipped:])
        yield "p:" + "/".join(folders)


def asked(filters: Filters) -> list[str]:
    """Return the facets that an answer must bear; one that ends in `*` is a beginning."""
    wanted = (
        f"f:{fold(filters.feature)}" * bool(filters.feature),
        f"s:{filters.session.lower()}" * bool(filters.session),
        f"t:{fold(filters.tool)}" * bool(filters.tool),
        f"p:{fold(filters.file)}*" * bool(filters.file),
    )
    return list(filter(None, wanted))
