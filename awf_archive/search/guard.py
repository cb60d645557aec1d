"""Turns whatever a damaged index makes Whoosh raise into one error of ours."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from awf_archive.errors import ArchiveError
from awf_archive.search.documents import DamagedIndexError, Health

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS}
"""What the disk says when it is not damage."""


@contextmanager
def only_our_errors() -> Iterator[None]:
    """Let our own errors and a full or closed disk through; anything else means that the index is damaged."""
    try:
        yield
    except (DamagedIndexError, ArchiveError):
        raise
    except Exception as error:  # the one place: damage has a dozen faces (search.md, section 6)
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            raise
        raise DamagedIndexError(Health.DAMAGED, f"{type(error).__name__}: {error}") from error
