"""`awf-archive repair`: mend what can be mended; nothing is deleted (SPEC 1.11)."""

from dataclasses import asdict
from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.trust_words import TRUST_WORDS
from awf_archive.services.keep import existing_vault
from awf_archive.services.repair import Repairing, repair
from awf_archive.services.repair_left import left


@click.command()
@setup.common
def command(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Mend what can be mended: manifests from session folders, turns from the vault. Nothing is deleted."""
    ready = setup.prepare(workspace, lang)
    repairing = Repairing(
        archive=ready.archive,
        vault=existing_vault(ready.layout, ready.vaults),
        now=setup.now(),
        words=ready.words,
        threshold=ready.settings.chunk_threshold,
        redact=ready.settings.redact,
    )
    done = repair(repairing)
    rest = list(left(repairing))
    if as_json:
        output.json_object({"repaired": [asdict(one) for one in done], "left": [asdict(one) for one in rest]})
        return 0
    for one in done:
        output.text(f"✓ {one.path}: {one.what}")
    words = TRUST_WORDS[ready.words.language]
    if rest:
        output.text(counted(words.left, n=len(rest)))
    for found in rest:
        output.text(f"✗ {found.path}: {found.message} → {found.remedy}")
    output.text(counted(words.repaired, n=len(done)))
    return 0
