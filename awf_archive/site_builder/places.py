"""Where a page lies on the site, and where the site's own templates lie."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from awf_archive.errors import DiskError
from awf_archive.render.turn import anchor

TURNS_PER_PAGE: Final = 200
"""A page of 1 000 turns took 5.4 s to show, one of 300 0.8 s (site.md 5)."""

CHARACTERS_PER_PAGE: Final = 700_000
"""Of HTML: turns with many tool calls fill a page sooner. A link to the wrong page is led on by the script."""


def labels(roots: Sequence[Path]) -> tuple[str, ...]:
    """Return a short name for each workspace, none like another: its folder's, with those above where it must be.

    >>> labels([Path("/srv/shop")]), labels([Path("/a/shop"), Path("/b/shop"), Path("/b/api")])
    (('',), ('a/shop', 'b/shop', 'api'))
    """
    if len(roots) == 1:
        return ("",)
    parts = [root.resolve().parts[1:] or ("/",) for root in roots]

    def name(one: tuple[str, ...]) -> str:
        lengths = range(1, len(one))
        alone = (many for many in lengths if sum(other[-many:] == one[-many:] for other in parts) == 1)
        return "/".join(one[-next(alone, len(one)) :])

    return tuple(map(name, parts))


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
