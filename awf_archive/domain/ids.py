"""Names for strings and numbers that must not be swapped (glossary: window, session, turn, digest)."""

from typing import NewType

WindowId = NewType("WindowId", str)
"""One conversation in a chat tool: a Claude Code session id, a ChatGPT conversation id."""

SessionId = NewType("SessionId", str)
"""What one checkpoint saved: `session-001`."""

TurnId = NewType("TurnId", str)
"""The source's own id of the record that starts a turn."""

GlobalTurn = NewType("GlobalTurn", int)
"""A turn's number in its feature, 1, 2, 3 … for ever."""

Digest = NewType("Digest", str)
"""SHA-256 in lower-case hex."""
