"""What the index's numbers mean, for those that write them and those that rank by them."""

from awf_archive.search.documents import Kind, Part

PARTS = tuple((kind, part) for kind in Kind for part in Part)
"""What the `part` column's numbers mean, counted from 1."""

ASSISTANT_FROM = 60_000
"""Where the assistant's words begin in a turn's text: so a position tells the side for `role:`.

The words of a longer prompt past this count as the assistant's for `role:`, and for nothing else.
"""
