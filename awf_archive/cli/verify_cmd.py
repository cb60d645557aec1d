"""`awf-archive verify`: prove that nothing is lost (SPEC 1.11, docs/trust.md)."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.trust_words import TRUST_WORDS
from awf_archive.errors import NegativeAnswerError
from awf_archive.services.findings import Finding
from awf_archive.services.keep import existing_vault
from awf_archive.services.verify import verify


@click.command()
@click.option(
    "--quick", is_flag=True, help="Check names, numbers and metadata; leave turn files and vault unread."
)
@setup.common
def command(*, quick: bool, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Prove that nothing is lost: every digest and number, and every turn against the source's own bytes."""
    ready = setup.prepare(workspace, lang)
    vault = existing_vault(ready.layout, ready.vaults)
    report = verify(ready.archive, vault, threshold=ready.settings.chunk_threshold, quick=quick)
    findings, proven = report.findings, report.proven
    if as_json:
        output.json_object(
            {
                "ok": not findings,
                "findings": [asdict(one) for one in findings],
                "notes": [asdict(one) for one in report.notes],
                "proven": {
                    "bytes": proven.bytes,
                    "lines": proven.lines,
                    "turns": proven.turns,
                    "turnsFromVault": proven.from_vault,
                },
            }
        )
    else:
        for one in findings:
            output.text(f"✗ {one.path}: {one.message} → {one.remedy}")
        words = TRUST_WORDS[ready.words.language]
        for message, path, more in _by_message(report.notes):
            output.text(f"· {path}{words.more.format(n=more) if more else ''}: {message}")
        line = words.found if findings else words.sound
        output.text(counted(line, n=len(findings), **asdict(proven)))
    return NegativeAnswerError.exit_code if findings else 0


def _by_message(notes: list[Finding]) -> Iterator[tuple[str, str, int]]:
    """Yield each message once, with the first file and how many more: in a clone it may be said of every turn."""
    for message in dict.fromkeys(one.message for one in notes):
        paths = [one.path for one in notes if one.message == message]
        yield message, paths[0], len(paths) - 1
