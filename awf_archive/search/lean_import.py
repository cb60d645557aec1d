"""Lets Whoosh be imported without asyncio, ssl and an HTTP client, which it imports and never uses here.

`whoosh.compat` wants `urllib.request`, `whoosh.reading` wants `cached_property`, which wants asyncio: together
50 of 170 ms of a search's start. Stand-ins take their places for the moment of the import and are gone after it.
"""

import functools
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType


@contextmanager
def without_unused() -> Iterator[None]:
    """Hide the unused modules while the block imports Whoosh."""
    if threading.active_count() > 1:  # another thread could meet a stand-in
        yield
        return
    stand_ins = {name: module for name, module in _stand_ins().items() if name not in sys.modules}
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name, module in stand_ins.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


def _stand_ins() -> dict[str, ModuleType]:
    request = ModuleType("urllib.request")
    request.urlretrieve = None  # type: ignore[attr-defined]
    cached = ModuleType("cached_property")
    cached.cached_property = functools.cached_property  # type: ignore[attr-defined]
    return {"urllib.request": request, "cached_property": cached}
