"""The archive as it may leave the workspace: everything read from it is masked (docs/secrets.md)."""

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from awf_archive.domain import redaction
from awf_archive.domain.decisions import Decision
from awf_archive.domain.manifest import ChunkEntry, SessionEntry
from awf_archive.domain.redaction import mask
from awf_archive.domain.redaction_turns import Mask, masked_file
from awf_archive.domain.session import Session
from awf_archive.domain.turn_file import TurnFile
from awf_archive.domain.turn_file import read as read_turn
from awf_archive.store.archive import Archive, read_bytes
from awf_archive.store.layout import Layout

ALLOW_FILE = ".awf-archive-allow"
"""In the workspace: names of what looks like a secret and is none, one a line."""


def allowed_in(root: Path) -> frozenset[str]:
    """Return the names that a workspace allows."""
    data = read_bytes(root / ALLOW_FILE) or b""
    lines = (line.partition("#")[0].strip() for line in data.decode(errors="replace").splitlines())
    return frozenset(filter(None, lines))


@cache
def _rules_stamp() -> str:
    """Return a digest of the rules themselves, so that nobody has to remember a version number."""
    from importlib.metadata import version  # 33 ms, which a search's masks need not wait for

    folder = Path(redaction.__file__).parent
    sources = sorted((*folder.glob("secret_patterns*.py"), *folder.glob("redaction*.py")))
    digests = [sha256(path.read_bytes()).hexdigest() for path in sources]
    return "\n".join([*digests, version("bc-detect-secrets")])


def masked_session(session: Session, change: Mask) -> Session:
    """Return a session's metadata with its texts masked; ids, digests and numbers stay."""
    summary = session.summary
    return replace(
        session,
        title=change(session.title),
        summary=replace(
            summary,
            topics=tuple(map(change, summary.topics)),
            decisions=tuple(map(change, summary.decisions)),
            files=tuple(map(change, summary.files)),
        ),
        turns=tuple(replace(one, title=change(one.title)) for one in session.turns),
        skipped=tuple(replace(one, text=change(one.text)) for one in session.skipped),
    )


def masked_decision(decision: Decision, change: Mask) -> Decision:
    """Return a decision with its texts masked."""
    return replace(
        decision,
        text=change(decision.text),
        reason=change(decision.reason),
        evidence=change(decision.evidence),
        options=tuple(map(change, decision.options)),
        files=tuple(map(change, decision.files)),
        matter=change(decision.matter),
        found_text=change(decision.found_text),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactedArchive(Archive):
    """An archive that gives masked texts; the files stay as they are."""

    allowed: frozenset[str] = frozenset()
    kinds: Counter[str] = field(default_factory=Counter, compare=False)
    """How many masks were made, by kind; what was read twice counts twice."""

    @property
    def unmasked(self) -> Archive:
        """The archive as it is, for what shows no text or masks it itself: a session has hundreds of titles."""
        return Archive(layout=self.layout)

    @property
    def policy(self) -> str:
        """What changes when the same bytes would be masked differently."""
        names = "\n".join(sorted(self.allowed))
        return sha256(f"{_rules_stamp()}\n{names}".encode()).hexdigest()[:16]

    def masked(self, text: str) -> str:
        """Return a text with its secrets masked."""
        changed, kinds = mask(text, self.allowed)
        self.kinds.update(kinds)
        return changed

    def masked_bytes(self, data: bytes) -> bytes:
        """Return a turn's file with its secrets masked."""
        return masked_file(data, self.allowed)

    def session(self, feature: str, entry: SessionEntry) -> Session:
        """Return a session's metadata, masked."""
        return masked_session(Archive.session(self, feature, entry), self.masked)

    def all_decisions(self, feature: str) -> tuple[Decision, ...]:
        """Return a feature's decisions, masked."""
        return tuple(masked_decision(one, self.masked) for one in Archive.all_decisions(self, feature))

    def chunk(self, feature: str, chunk: ChunkEntry) -> str:
        """Return a chunk's Markdown, masked."""
        return self.masked(Archive.chunk(self, feature, chunk))

    def _turn_file(self, path: Path) -> TurnFile:
        data = read_bytes(path)
        masked = self.masked_bytes(data) if data is not None else None
        if masked is None or masked is data:
            return Archive._turn_file(self, path)  # noqa: SLF001 - the same class, seen from a child
        return read_turn(masked)


def redacted(layout: Layout) -> RedactedArchive:
    """Return a workspace's archive as it may leave the workspace."""
    return RedactedArchive(layout=layout, allowed=allowed_in(layout.root))
