"""`site serve`: the site on this machine alone, built again when the archive changes."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from pathlib import Path
from threading import Event, Thread
from typing import Final

from awf_archive.errors import UsageError
from awf_archive.store.archive import read_bytes
from awf_archive.store.layout import Layout

_SECONDS_BETWEEN_LOOKS = 1.0
_OURS = ("127.0.0.1", "localhost")
NOT_FOUND_PAGE: Final = "404.html"
_WATCHED = ("manifest.json", "decisions.json", "requirements.md", "design.md", "tasks.md")


class _Handler(SimpleHTTPRequestHandler):
    """Gives files to browsers of this machine; a foreign name for this address is a rebinding attack."""

    def do_GET(self) -> None:
        if self._is_ours():
            super().do_GET()

    def do_HEAD(self) -> None:
        if self._is_ours():
            super().do_HEAD()

    def _is_ours(self) -> bool:
        if (self.headers.get("Host") or "").rpartition(":")[0] in _OURS:
            return True
        self.send_error(421, "This address is for this machine alone.")
        return False

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer an address that is not there with the site's own page, which leads on."""
        page = read_bytes(Path(self.directory) / NOT_FOUND_PAGE) if code == HTTPStatus.NOT_FOUND else None
        if page is None:
            super().send_error(code, message, explain)
            return
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(page)

    def list_directory(self, path: str | os.PathLike[str]) -> None:
        """Show no folder's content: only pages are meant to be seen."""
        del path
        self.send_error(404)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing for each request."""


def start(folder: Path, port: int) -> tuple[ThreadingHTTPServer, str]:
    """Serve a folder on a port of this machine (0: any free one); return the server and its address.

    Raises UsageError when the port is taken.
    """
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, directory=str(folder)))
    except (OSError, OverflowError) as problem:
        raise UsageError(f"--port {port}: cannot be used ({problem}).", "Name another port.") from problem
    Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}/"


def follow(layouts: Sequence[Layout], rebuild: Callable[[], None], stop: Event) -> None:
    """Build again after each change of these archives, until `stop` is set."""
    seen = fingerprint(layouts)
    while not stop.wait(_SECONDS_BETWEEN_LOOKS):
        now = fingerprint(layouts)
        if now != seen:
            rebuild()
            seen = now


def fingerprint(layouts: Sequence[Layout]) -> frozenset[tuple[str, int, int]]:
    """Return what changes when an archive does: every save writes its manifest last."""
    return frozenset(chain.from_iterable(map(_stamps, layouts)))


def _stamps(layout: Layout) -> Iterator[tuple[str, int, int]]:
    for feature in layout.features():
        places = (layout.manifest(feature), layout.decisions(feature), *_documents(layout, feature))
        for path in places:
            try:
                found = path.stat()
            except OSError:
                continue
            yield str(path), found.st_mtime_ns, found.st_size


def _documents(layout: Layout, feature: str) -> Iterator[Path]:
    return (layout.spec(feature) / name for name in _WATCHED if name.endswith(".md"))
