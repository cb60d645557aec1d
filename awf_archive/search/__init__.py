"""Search over the archive: analysis, queries and a disposable index that follows the archive (SPEC 4).

Kept empty on purpose: a command that only needs a dataclass must not pay for the engine's import.
"""
