"""What a checkpoint does about secrets: counts them, and masks them when the user chose that (docs/secrets.md)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from awf_archive.domain.ids import TurnId
from awf_archive.domain.redaction import mask
from awf_archive.domain.redaction_turns import masked_blocks
from awf_archive.domain.transcript import Block, Outline, Transcript, Turn
from awf_archive.services.redacted_archive import allowed_in
from awf_archive.store.layout import Layout

ARCHIVE = "archive"
"""The setting `redact` that masks what is saved; any other value masks views alone."""


@dataclass(slots=True, kw_only=True)
class Watch:
    """Looks at every turn while it is read, once."""

    allowed: frozenset[str]
    is_masking: bool
    _by_turn: dict[TurnId, Counter[str]] = field(default_factory=dict)

    @property
    def kinds(self) -> Counter[str]:
        """How many secrets the turns hold that were read, by kind."""
        return sum(self._by_turn.values(), Counter())

    def over(self, transcript: Transcript) -> Transcript:
        """Return the transcript with its turns looked at, and masked if that is what was chosen."""
        title = mask(transcript.title, self.allowed)[0] if self.is_masking else transcript.title
        return replace(transcript, load=lambda outline: self._load(transcript, outline), title=title)

    def _load(self, transcript: Transcript, outline: Outline) -> Turn:
        turn = transcript.load(outline)
        kinds = self._by_turn[outline.id] = Counter()
        user, assistant = (self._masked(side, kinds) for side in (turn.user, turn.assistant))
        return replace(turn, user=user, assistant=assistant) if self.is_masking and kinds else turn

    def _masked(self, blocks: Iterable[Block], kinds: Counter[str]) -> tuple[Block, ...]:
        def change(text: str) -> str:
            changed, found = mask(text, self.allowed)
            kinds.update(found)
            return changed

        return masked_blocks(blocks, change)


def watch(layout: Layout, redact: str) -> Watch:
    """Return what looks at the turns that are about to be saved."""
    return Watch(allowed=allowed_in(layout.root), is_masking=redact == ARCHIVE)
