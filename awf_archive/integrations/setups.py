"""Every chat tool that can be set up: `install`, `uninstall` and their docs come from here."""

from awf_archive.integrations import claude_code, codex, cursor, gemini_cli
from awf_archive.integrations.installing import Setup

SETUPS: tuple[Setup, ...] = (claude_code.SETUP, codex.SETUP, gemini_cli.SETUP, cursor.SETUP)
