"""What people say when they leave or decide: data, one module per language (SPEC 3.1).

All languages are always tried: people mix them. Adding one = a module and a line here.
"""

from awf_archive.domain.trigger_patterns import en, vi, zh
from awf_archive.domain.trigger_patterns.shape import Patterns

PATTERNS: tuple[Patterns, ...] = (vi.PATTERNS, en.PATTERNS, zh.PATTERNS)
"""Every language."""

__all__ = ["PATTERNS", "Patterns"]
