"""`awf-archive decisions harvest | export`: all of them at once."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from awf_archive.cli import output, setup
from awf_archive.cli.damage_note import tell_unread
from awf_archive.cli.decisions_view import line
from awf_archive.domain.decisions import Status
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.decision_words import DECISION_WORDS
from awf_archive.errors import DamagedArchiveError, NegativeAnswerError
from awf_archive.services.decisions_list import Asked, asked_for

if TYPE_CHECKING:
    from awf_archive.services.decisions_harvest import Harvest

_FEATURE = click.option("--feature", help="Only this feature.")


@click.command()
@_FEATURE
@click.option("--dry-run", is_flag=True, help="Tell what would be found, and write nothing.")
@setup.common
def harvest(
    *, feature: str | None, dry_run: bool, as_json: bool, lang: str | None, workspace: Path | None
) -> int:
    """Look through everything that is saved again: turns, design.md, ADR files, the work state.

    What is there already stays as it is, with what you changed of it.
    """
    from awf_archive.services.decisions_file import unread_decisions
    from awf_archive.services.decisions_harvest import features_to_harvest, harvest_feature

    ready = setup.prepare(workspace, lang)
    words = DECISION_WORDS[ready.words.language]
    # nothing is written over what does not read: `repair` makes that anew
    unread = unread_decisions(ready.archive)
    names = [name for name in features_to_harvest(ready.archive, feature) if name not in unread]
    done = [harvest_feature(ready.archive, name, setup.now(), dry_run=dry_run) for name in names]
    code = setup.tell_damaged(ready, feature) or tell_unread(ready, feature)
    for problem in (problem for one in done for problem in one.problems):
        output.note(f"⚠️ {problem}")
        code = DamagedArchiveError.exit_code
    if as_json:
        output.json_object({"results": [_json(one) for one in done], "dryRun": dry_run})
        return code
    for one in done:
        output.text(
            counted(
                words.harvested,
                feature=one.feature,
                turns=one.turns,
                documents=one.documents,
                added=len(one.added),
                changed=len(one.changed),
            )
        )
        for new in one.added:
            output.text(f"  {line(new)} ({words.statuses[new.status.value]})")
    if dry_run:
        output.text(words.harvest_plan)
    return code


def _json(done: "Harvest") -> dict[str, object]:
    return {
        "feature": done.feature,
        "turns": done.turns,
        "documents": done.documents,
        "added": [one.to_json() for one in done.added],
        "changed": [one.to_json() for one in done.changed],
        "problems": done.problems,
    }


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@_FEATURE
@click.option(
    "--status",
    "statuses",
    multiple=True,
    type=click.Choice([one.value for one in Status]),
    help="Only these. [default: accepted and superseded]",
)
@setup.common
def export(  # noqa: PLR0913 - one option a line
    *,
    folder: Path,
    feature: str | None,
    statuses: tuple[str, ...],
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Write decisions as MADR files into FOLDER, one each; several features each get a folder in it.

    Files written before are brought up to date under their names; no file of anyone else is touched.
    """
    from awf_archive.services.decisions_export import plan_export, write_export

    ready = setup.prepare(workspace, lang)
    words = DECISION_WORDS[ready.words.language]
    wanted = tuple(map(Status, statuses)) or (Status.ACCEPTED, Status.SUPERSEDED)
    found = asked_for(ready.archive, Asked(feature=feature or "", statuses=wanted))
    code = setup.tell_damaged(ready, feature)
    if not found and not as_json:
        output.text(words.none_fits)
    plan = plan_export(found, folder)
    write_export(plan)
    new = [one for one in plan if one.is_new]
    if as_json:
        files = [
            {
                "feature": one.decision.feature,
                "id": one.decision.id,
                "path": str(one.path),
                "written": one.is_new,
            }
            for one in plan
        ]
        output.json_object({"files": files})
    elif plan:
        output.text(counted(words.exported, n=len(new), same=len(plan) - len(new), place=folder))
    return code or (0 if plan else NegativeAnswerError.exit_code)
