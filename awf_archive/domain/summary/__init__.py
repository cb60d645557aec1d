"""What a range of turns, and a session, was about: from the turns' own words, without a model (SPEC 1.6, 1.8).

How sentences are chosen, and why no library does it: docs/summaries.md.
"""

from awf_archive.domain.summary.chunk import chunk_text
from awf_archive.domain.summary.gist import Gist, gist_of
from awf_archive.domain.summary.phase import infer_phase, phase_signs
from awf_archive.domain.summary.terms import topics
from awf_archive.domain.summary.title import best_title, first_sentence

__all__ = [
    "Gist",
    "best_title",
    "chunk_text",
    "first_sentence",
    "gist_of",
    "infer_phase",
    "phase_signs",
    "topics",
]
