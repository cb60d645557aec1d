"""Which workspace the client means: the one named at the start, else its roots, else where we were started."""

from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from mcp import types
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from awf_archive.services.workspace import find_workspace, is_workspace

_ROOTS = "roots"
"""The key of our question in the protocol's newer form, where an answer asks back."""
_PATIENCE = 5.0
"""Seconds that a client has to name its roots."""

Params = types.CallToolRequestParams | types.ReadResourceRequestParams


class Whereabouts:
    """The workspace of this connection, found at the first call that needs it."""

    def __init__(self, given: Path | None, start: Path) -> None:
        self._start = start
        self._root = find_workspace(start, given) if given else None
        self._is_given = given is not None

    def forget(self) -> None:
        """Ask again at the next call: the client says that its roots have changed."""
        if not self._is_given:
            self._root = None

    async def find(
        self, ctx: ServerRequestContext, params: Params | None
    ) -> Path | types.InputRequiredResult:
        """Return the workspace, or the question that the client must answer first."""
        if self._root is not None:
            return self._root
        if not _has_roots(ctx):
            return self._settle([])
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            return self._settle(await _asked(ctx))
        if params is None:
            return find_workspace(self._start)  # this request may not ask back; the next call may
        if params.input_responses is None:
            return types.InputRequiredResult(input_requests={_ROOTS: types.ListRootsRequest()})
        answer = params.input_responses.get(_ROOTS)
        return self._settle(_folders(answer) if isinstance(answer, types.ListRootsResult) else [])

    def _settle(self, folders: list[Path]) -> Path:
        """Choose among the client's folders: one that is a workspace before one that is not."""
        best = next(filter(is_workspace, folders), next(iter(folders), self._start))
        self._root = find_workspace(best)
        return self._root


def _has_roots(ctx: ServerRequestContext) -> bool:
    capabilities = ctx.session.client_capabilities
    return capabilities is not None and capabilities.roots is not None


async def _asked(ctx: ServerRequestContext) -> list[Path]:
    """Ask for the roots; a client that offers them and then does not answer has none."""
    question = types.ListRootsRequest()
    try:
        answer = await ctx.session.send_request(question, types.ListRootsResult, _PATIENCE)
    except (MCPError, ValidationError):
        return []
    return _folders(answer)


def _folders(answer: types.ListRootsResult) -> list[Path]:
    """Return the roots that are folders of this machine."""
    parts = [urlsplit(str(root.uri)) for root in answer.roots]
    paths = [Path(url2pathname(one.path)) for one in parts if one.scheme == "file" and not one.netloc]
    return [path for path in paths if path.is_absolute() and path.is_dir()]
