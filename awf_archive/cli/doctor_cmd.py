"""`awf-archive doctor`: what is set up, what is at risk, and what to do."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.domain.wording.import_words import IMPORT_WORDS
from awf_archive.errors import NegativeAnswerError
from awf_archive.services.doctor import SOON, at_risk, clock


@click.command()
@setup.common
def command(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Say what is archived here, and which conversations their tool will delete before anyone saved them."""
    ready = setup.prepare(workspace, lang)
    words = IMPORT_WORDS[ready.words.language]
    features = ready.archive.features()
    manifests = [manifest for name in features if (manifest := ready.archive.manifest(name))]
    turns = sum(manifest.last_end for manifest in manifests)
    risks = list(at_risk(ready.archive, clock()))
    if as_json:
        listed = [{"path": str(one.path), "daysLeft": one.days_left} for one in risks]
        output.json_object({"features": len(features), "turns": turns, "atRisk": listed})
        return NegativeAnswerError.exit_code if risks else 0
    output.text(words.archived.format(n=turns, features=len(features)) if features else words.no_archive)
    if not risks:
        output.text(words.nothing_at_risk)
        return 0
    output.text(words.at_risk.format(n=len(risks), days=SOON))
    for one in risks:
        output.text(f"  {one.days_left:>3} d  {one.path}")
    return NegativeAnswerError.exit_code
