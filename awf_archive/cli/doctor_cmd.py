"""`awf-archive doctor`: what is set up, what is at risk, and what to do."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.cli.damage_note import unsaved_json, unsaved_lines
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.doctor_words import DOCTOR_WORDS, DoctorWords
from awf_archive.errors import NegativeAnswerError
from awf_archive.integrations.unsaved import Unsaved, unsaved
from awf_archive.services.doctor import SOON, AtRisk, SetUp, at_risk, cleanup_days, clock, set_up


@click.command()
@setup.common
def command(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Say what is set up here, and which conversations their tool will delete before anyone saved them."""
    ready = setup.prepare(workspace, lang)
    found = set_up(ready.archive, ready.vaults)
    risks = list(at_risk(ready.archive, clock()))
    lost = unsaved(ready.layout)
    if as_json:
        output.json_object(_as_json(found, risks) | {"unsaved": [unsaved_json(one) for one in lost]})
    else:
        words = DOCTOR_WORDS[ready.words.language]
        told = _lost(lost, ready.words.language)
        output.text("\n".join((*_set_up(found, words), *told, "", *_risks(risks, words))))
    is_bad = risks or found.damaged or any(one.is_given_up for one in lost)
    return NegativeAnswerError.exit_code if is_bad else 0


def _set_up(found: SetUp, words: DoctorWords) -> Iterator[str]:
    if found.features:
        last = found.last_save.replace("T", " ").removesuffix("Z") + " UTC"
        yield f"✓ {counted(words.archived, n=found.turns, features=found.features, last=last)}"
        index = {"current": words.index_current, "behind": words.index_behind}
        yield f"{'✓' if found.index == 'current' else '·'} {index.get(found.index, words.index_none)}"
    elif not found.damaged:
        yield f"· {words.no_archive}"
    for path in found.damaged:
        yield f"✗ {words.damaged.format(what=path)}"
    if found.vault and found.originals:
        yield f"✓ {counted(words.vault, n=found.originals, path=found.vault)}"
    else:
        yield f"· {words.no_vault}"
    if found.callers:
        yield f"✓ {words.hooks.format(tools=', '.join(found.callers))}"
    else:
        yield f"· {words.no_hooks}"


def _lost(lost: Sequence[Unsaved], language: str) -> Iterator[str]:
    for one in lost:
        first, *more = unsaved_lines(one, language)
        yield f"{'✗' if one.is_given_up else '·'} {first}"
        yield from (f"  → {line}" for line in more)


def _risks(risks: list[AtRisk], words: DoctorWords) -> Iterator[str]:
    if not risks:
        yield f"✓ {counted(words.nothing_at_risk, n=cleanup_days())}"
        return
    yield f"✗ {counted(words.at_risk, n=len(risks), days=SOON)}"
    for one in risks:
        when = counted(words.days_left, n=one.days_left) if one.days_left else words.today
        yield f"    {one.path}  ({when})"
    yield f"→ {words.do_this}"


def _as_json(found: SetUp, risks: list[AtRisk]) -> dict[str, object]:
    return {
        "features": found.features,
        "turns": found.turns,
        "lastSave": found.last_save or None,
        "index": found.index,
        "vault": {"path": str(found.vault), "originals": found.originals} if found.vault else None,
        "savesItself": bool(found.callers),
        "savedBy": list(found.callers),
        "damaged": list(found.damaged),
        "atRisk": [{"path": str(one.path), "daysLeft": one.days_left} for one in risks],
    }
