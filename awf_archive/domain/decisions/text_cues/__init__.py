"""What people say when they decide something: data, one module per language (SPEC 1.8).

All languages are always tried: people mix them. Adding one = a module and a line here.
"""

from awf_archive.domain.decisions.text_cues import en, vi, zh
from awf_archive.domain.decisions.text_cues.shape import FIRM, LIKELY, RULE, Cue, Cues

CUES: tuple[Cues, ...] = (vi.CUES, en.CUES, zh.CUES)
"""Every language."""

__all__ = ["CUES", "FIRM", "LIKELY", "RULE", "Cue", "Cues"]
