"""The layout of a recap that is told from the archive, where there is no work state (SPEC 4)."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from awf_archive.domain.decisions import Decision, Status
from awf_archive.domain.recap import WIDTHS, WORDS, ago, cut, estimate_tokens, moment, shorten


class Strand(NamedTuple):
    """Where one feature stands: its latest session."""

    feature: str
    session: str
    title: str = ""
    time: str = ""
    """When its last turn was; empty when nobody knows."""


class Standing(NamedTuple):
    """Where an archive stands."""

    project: str
    strands: Sequence[Strand]
    """The feature saved last first."""
    decisions: Sequence[Decision]
    """Those that stand, the last one first."""
    turns: int
    sessions: int
    features: int
    saved: str
    """When something was last saved."""


class StandingWords(NamedTuple):
    """What it says, in one language."""

    latest: str
    decided: str
    proposed: str
    more: str
    """With {n}: features left out."""
    go_on: str
    """With {feature}: the commands that tell more."""


STANDING_WORDS: Mapping[str, StandingWords] = {
    "en": StandingWords(
        latest="Latest conversations",
        decided="Recent decisions",
        proposed="proposed",
        more="… {n} more",
        go_on="Go on: awf-archive resume {feature}, or awf-archive recap TOPIC",
    ),
    "vi": StandingWords(
        latest="Hội thoại gần nhất",
        decided="Quyết định gần đây",
        proposed="đề xuất",
        more="… còn {n} mục",
        go_on="Làm tiếp: awf-archive resume {feature}, hoặc awf-archive recap CHỦ-ĐỀ",
    ),
    "zh": StandingWords(
        latest="最近的对话",
        decided="最近的决策",
        proposed="提议",
        more="… 还有 {n} 项",
        go_on="继续：awf-archive resume {feature}，或 awf-archive recap 主题",
    ),
}
"""Beside their layout, as level 1's are: loading `domain.wording` takes longer than level 1 may."""

_MOST: Mapping[str, tuple[int, int]] = {"1": (3, 2), "full": (5, 5), "deep": (8, 5)}
"""Features and decisions that a level tells at most."""
_LEAST_WIDTH = 45
"""Rather fewer entries than entries cut shorter than this."""


def standing_text(standing: Standing, language: str, level: str, budget: int, now: datetime) -> str:
    """Return where an archive stands, within a budget: first at shrinking widths, then with fewer entries."""
    strands, decisions = _MOST[level]
    text = ""
    for left in range(max(strands, decisions), 0, -1):
        most = (min(strands, left), min(decisions, left))
        for width in (one for one in WIDTHS if one >= _LEAST_WIDTH):
            text = "\n".join(_lines(standing, language, most, width, now))
            if estimate_tokens(text) <= budget:
                return text
    return cut(text, budget)


def _lines(
    standing: Standing, language: str, most: tuple[int, int], width: int, now: datetime
) -> Iterator[str]:
    greeting, words = WORDS[language], STANDING_WORDS[language]
    strands, decisions = standing.strands[: most[0]], standing.decisions[: most[1]]
    yield from (f"👋 {greeting.greeting}", "", f"📍 Project: {shorten(standing.project, width)}")
    yield from ("", f"💬 {words.latest}:")
    for strand in strands:
        told = ", ".join(
            filter(None, (shorten(strand.title, width), ago(moment(strand.time), now, greeting)))
        )
        yield f"  • {strand.feature}/{strand.session}{': ' if told else ''}{told}"
    if standing.features > len(strands):
        yield f"  {words.more.format(n=standing.features - len(strands))}"
    if decisions:
        yield from ("", f"📋 {words.decided}:")
        yield from (f"  • {_decided(one, words, width)}" for one in decisions)
    if saved := ago(moment(standing.saved), now, greeting):
        yield from ("", f"🕐 {greeting.last_saved}: {saved}")
    yield from ("", f"💡 {words.go_on.format(feature=_quoted(standing.strands[0].feature))}")


def _decided(one: Decision, words: StandingWords, width: int) -> str:
    mark = f"({words.proposed}) " if one.status is Status.PROPOSED else ""
    return f"{mark}{shorten(one.text, width)}"


def _quoted(feature: str) -> str:
    """Return a feature as a shell takes it."""
    from shlex import quote

    return feature if feature.isalnum() else quote(feature)
