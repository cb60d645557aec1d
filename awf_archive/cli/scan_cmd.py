"""`awf-archive scan`: find secrets in the archive, the site, or a commit (docs/secrets.md)."""

from collections import Counter
from dataclasses import asdict
from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.secret_words import SECRET_WORDS, kinds_text
from awf_archive.errors import NegativeAnswerError


@click.command()
@click.option("--staged", is_flag=True, help="Look at what git is about to commit of the archive.")
@setup.common
def command(*, staged: bool, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Find keys, tokens and passwords in the archive and the site; say where and of what kind, never what."""
    from awf_archive.services.scan import scan

    ready = setup.prepare(workspace, lang)
    if staged:
        from awf_archive.services.git_setup import scan_staged

        found = scan_staged(ready.layout)
    else:
        found = scan(ready.layout)
    kinds = Counter(one.kind for one in found.spots)
    if as_json:
        spots = [asdict(one) for one in found.spots]
        output.json_object({"ok": not spots, "findings": spots, "kinds": dict(kinds), "files": found.files})
    else:
        for one in found.spots:
            output.text(f"{one.path}:{one.line}: {one.kind}  ({one.name})")
        words = SECRET_WORDS[ready.words.language]
        line = words.found if found.spots else words.none
        output.text(counted(line, n=len(found.spots), kinds=kinds_text(kinds), files=found.files))
        if found.spots and staged:
            output.text(words.refused)
    return NegativeAnswerError.exit_code if found.spots else 0
