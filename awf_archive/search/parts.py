"""What the index's numbers mean, for those that write them and those that rank by them."""

from collections.abc import Mapping

from awf_archive.search.documents import Kind, Part

PARTS = tuple((kind, part) for kind in Kind for part in Part)
"""What the `part` column's numbers mean, counted from 1."""

ASSISTANT_FROM = 60_000
"""Where the assistant's words begin in a turn's text: so a position tells the side for `role:`.

The words of a longer prompt past this count as the assistant's for `role:`, and for nothing else.
"""

WEIGHTS: Mapping[tuple[Kind, Part], float] = {
    (Kind.DECISION, Part.SAID): 1.2,
    (Kind.TURN, Part.SAID): 1.0,
    (Kind.CHUNK, Part.SAID): 0.85,
    (Kind.BRAIN, Part.SAID): 0.8,
    (Kind.STATE, Part.SAID): 0.8,
    (Kind.TURN, Part.TOOLS): 0.5,
    (Kind.TURN, Part.SUMMARY): 0.5,
    (Kind.TURN, Part.THINKING): 0.4,
}
"""What people said and decided first; what tools and machines wrote, and thinking, last."""
