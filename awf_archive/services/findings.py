"""What a verification says: findings, and how much was proven (SPEC 1.11)."""

from dataclasses import dataclass, field

REPAIR = "awf-archive repair"
BRING_BACK = "bring it back from git or a backup"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is not as it should be."""

    code: str
    path: str
    message: str
    remedy: str


@dataclass(slots=True, kw_only=True)
class Proven:
    """What was checked and is as it should be."""

    bytes: int = 0
    """Of the source, in the vault."""
    lines: int = 0
    turns: int = 0
    """Those whose file is what was saved."""
    from_vault: int = 0
    """Those of them that the vault's bytes give exactly as they are in the archive."""


@dataclass(slots=True, kw_only=True)
class Report:
    """What a verification found."""

    findings: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    """Of turns that are what was saved, and that the vault does not give as they are: nothing is wrong with them."""
    proven: Proven = field(default_factory=Proven)
