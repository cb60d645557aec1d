"""A page for each decision, with what was decided about the same question before and after."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b

from awf_archive.domain.decisions import Decision
from awf_archive.domain.wording.decision_words import DECISION_WORDS
from awf_archive.render.clean import title
from awf_archive.search.analysis import fold
from awf_archive.site_builder.page import Page, decision_folder, fill, unmarked
from awf_archive.site_builder.shell import ROOT, Shell, fill_page
from awf_archive.site_builder.views import FeatureView, SiteView


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What a decision's page says besides the decision."""

    link: str = ""
    evidence_link: str = ""
    """The turn in which the words of the evidence stand: for an "ok" the one before."""
    also: tuple[tuple[int, str], ...] = ()
    """Later turns that say it again, each with its link."""
    related: tuple[tuple[str, Decision], ...] = ()
    """How another decision stands to it, as a text with {id}, and that decision."""
    moved: tuple[str, str] | None = None
    """Where it is now, in words and as a link."""


def decision_pages(site: SiteView, shell: Shell) -> Iterator[tuple[str, str, Callable[[], str]]]:
    """Yield each decision's folder, a key that changes with its page, and what makes the page."""
    for feature in site.features:
        asked = _by_question(feature)
        for decision in (*feature.decisions, *feature.moved_decisions):
            told = _told(site, feature, decision, asked.get(_question(decision), []))
            links = [told.link, told.evidence_link, told.also, told.moved]
            shown = (feature.name, decision, links, [one for _, one in told.related])
            key = f"{shell.key} {site.words.language} {shown!r}"
            yield (
                decision_folder(feature.name, decision.id),
                blake2b(key.encode(errors="surrogatepass"), digest_size=16).hexdigest(),
                partial(_make, site, shell, (feature, decision), told),
            )


def _make(site: SiteView, shell: Shell, which: tuple[FeatureView, Decision], told: _Told) -> str:
    feature, decision = which
    html = fill(
        "decision.html",
        site.words,
        ROOT,
        feature=feature,
        decision=decision,
        told=told,
    )
    uri = f"{decision_folder(feature.name, decision.id)}/index.md"
    page = Page(uri=uri, title=title(f"{decision.id} · {unmarked(decision.text)}"))
    return fill_page(shell, page, html)


def _by_question(feature: FeatureView) -> dict[str, list[Decision]]:
    found: dict[str, list[Decision]] = {}
    for decision in feature.decisions:
        found.setdefault(_question(decision), []).append(decision)
    return found


def _told(site: SiteView, feature: FeatureView, decision: Decision, asked: Sequence[Decision]) -> _Told:
    if decision.moved_to:
        name, _, number = decision.moved_to.rpartition(" ")
        return _Told(moved=(decision.moved_to, f"{decision_folder(name, number)}/index.html"))
    turns_back = decision.place.turns_back if decision.place and decision.turn else 0
    return _Told(
        link=feature.link_to(decision.turn),
        evidence_link=feature.link_to(decision.turn - turns_back),
        also=tuple((turn, feature.link_to(turn)) for turn in decision.also),
        related=tuple(_related(site, feature, decision, asked)),
    )


def _related(
    site: SiteView, feature: FeatureView, decision: Decision, asked: Sequence[Decision]
) -> Iterator[tuple[str, Decision]]:
    """Yield what replaced what; where nobody said so, other answers to the same question."""
    words, said = site.words.site, DECISION_WORDS[site.words.language]
    by_id = {one.id: one for one in feature.decisions}
    named = (
        *((said.supersedes, name) for name in decision.supersedes),
        (said.superseded_by, decision.superseded_by),
        *((said.may_supersede, name) for name in decision.may_supersede),
    )
    linked = [(_until_id(template), by_id[name]) for template, name in named if name in by_id]
    yield from linked
    shown = {one.id for _, one in linked}
    at = asked.index(decision)
    yield from ((words.asked_again, one) for one in asked[at + 1 : at + 2] if one.id not in shown)
    yield from ((words.asked_before, one) for one in asked[max(0, at - 1) : at] if one.id not in shown)


def _until_id(template: str) -> str:
    """Return what stands before a decision's number: its words follow as a link."""
    return template.partition("{id}")[0] + "{id}"


def _question(decision: Decision) -> str:
    """Return what was asked, so that two answers to one question are known; plans ask nothing."""
    return fold(decision.reason) if decision.found_by == "question" and decision.reason else decision.id
