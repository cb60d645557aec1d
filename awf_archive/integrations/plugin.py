"""The same hooks and skills as a plugin of Claude Code, made from the same tables; a test keeps `plugin/` true."""

import json
from collections.abc import Iterator

from awf_archive import __version__
from awf_archive.integrations import skills
from awf_archive.integrations.claude_code import hooks_of
from awf_archive.integrations.installing import PROGRAM

_ABOUT = "Keeps every conversation whole, saves the work by itself, and brings both back, with awf-archive."
_OWNER = {"name": "The awf-archive team"}


def files() -> Iterator[tuple[str, str]]:
    """Yield the path of each file below the repository's root, and its text."""
    plugin = {
        "name": "awf",
        "version": __version__,
        "description": _ABOUT,
        "author": _OWNER,
        "license": "MIT",
    }
    yield "plugin/.claude-plugin/plugin.json", _json(plugin)
    hooks = {event: [group] for event, group in hooks_of((PROGRAM,)).items()}
    yield "plugin/hooks/hooks.json", _json({"description": _ABOUT, "hooks": hooks})
    for name, page in skills.pages("", PROGRAM):
        yield f"plugin/skills/{name}", page
    server = {"command": PROGRAM, "args": ["mcp"]}  # without the extra it alone fails to start, and says why
    yield "plugin/.mcp.json", _json({"mcpServers": {"awf-archive": server}})
    market = {
        "name": "awf-archive",
        "owner": _OWNER,
        "metadata": {"description": _ABOUT, "version": __version__},
        "plugins": [{"name": "awf", "source": "./plugin", "description": _ABOUT, "version": __version__}],
    }
    yield ".claude-plugin/marketplace.json", _json(market)


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
