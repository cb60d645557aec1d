"""Where a page lies on the site, and where the site's own templates lie."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

from awf_archive.errors import DiskError
from awf_archive.render.turn import anchor

TURNS_PER_PAGE: Final = 200
"""A page of 1 000 turns took 5.4 s to show, one of 300 0.8 s (site.md 5)."""

CHARACTERS_PER_PAGE: Final = 700_000
"""Of HTML: turns with many tool calls fill a page sooner. A link to the wrong page is led on by the script."""

_SAFE = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")


def slug(name: str) -> str:
    """Return a folder name for any name: ASCII, lower case, and no two alike on any file system.

    A name that is already safe stays as it is. Others get `~` and a digest, which no safe name holds.

    >>> slug("block-user"), slug("Block User"), slug("đăng nhập")
    ('block-user', 'block-user~9a8aee377a', 'dang-nhap~f9b1cd589c')
    """
    if _SAFE.fullmatch(name):
        return name
    plain = unicodedata.normalize("NFKD", name.casefold().replace("đ", "d"))
    words = re.findall(r"[a-z0-9]+", plain.encode("ascii", "ignore").decode())
    digest = blake2b(name.encode(errors="surrogatepass"), digest_size=5).hexdigest()
    return f"{'-'.join(words)[:40].strip('-') or 'x'}~{digest}"


def feature_folder(feature: str) -> str:
    """Return a feature's folder on the site."""
    return f"features/{slug(feature)}"


def session_folder(feature: str, session: str) -> str:
    """Return a session's folder on the site."""
    return f"{feature_folder(feature)}/{slug(session)}"


def plan_pages(turns: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return the first turn of each of a session's pages, from turns as number and size.

    >>> plan_pages([(1, 10), (2, 10)]), plan_pages([(1, 400_000), (2, 400_000), (3, 9)])
    ((1,), (1, 2))
    """
    starts: list[int] = []
    count = size = 0
    for local, weight in turns:
        if not starts or count == TURNS_PER_PAGE or size + weight > CHARACTERS_PER_PAGE:
            starts.append(local)
            count = size = 0
        count += 1
        size += weight
    return tuple(starts)


def page_name(number: int) -> str:
    """Return the file name of a session's page."""
    return "index.html" if number == 1 else f"page-{number}.html"


def turn_link(folder: str, starts: Sequence[int], local: int) -> str:
    """Return the link to a turn, relative to the site's root.

    >>> turn_link("features/block-user/session-002", [1, 201], 216)
    'features/block-user/session-002/page-2.html#turn-216'
    """
    return f"{folder}/{page_name(max(1, bisect_right(starts, local)))}#{anchor(local)}"


@cache
def configuration() -> Path:
    """Return `mkdocs.yml`: the checkout's, or the one shipped in the wheel."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "_site", package.parent):
        if (folder / "mkdocs.yml").is_file() and (folder / "site_templates").is_dir():
            return folder / "mkdocs.yml"
    raise DiskError(
        f"{package}: mkdocs.yml and site_templates are missing from this installation.",
        "Install awf-archive again.",
    )


def templates() -> Path:
    """Return the folder of the site's templates."""
    return configuration().parent / "site_templates"
