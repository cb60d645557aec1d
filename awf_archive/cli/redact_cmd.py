"""`awf-archive redact`: mask the secrets that the archive holds already (docs/secrets.md)."""

from dataclasses import asdict
from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.secret_words import SECRET_WORDS, kinds_text
from awf_archive.errors import NegativeAnswerError


@click.command()
@setup.common
def command(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Mask keys, tokens and passwords in the archive's files; numbers stay, and the vault keeps every byte."""
    from awf_archive.services.index import sync
    from awf_archive.services.redact import redact

    ready = setup.prepare(workspace, lang)
    done = redact(ready.archive, setup.now(), ready.words)
    if done.files:
        sync(ready.archive, output.progress("index"))
    if as_json:
        output.json_object(
            {
                "files": list(done.files),
                "kinds": dict(done.kinds),
                "left": [asdict(one) for one in done.left],
            }
        )
        return NegativeAnswerError.exit_code if done.left else 0
    words = SECRET_WORDS[ready.words.language]
    text = words.masked if done.files else words.nothing_to_mask
    output.text(counted(text, n=done.kinds.total(), kinds=kinds_text(done.kinds), files=len(done.files)))
    if done.left:
        output.text(counted(words.left, n=len(done.left)))
        for one in done.left:
            output.text(f"  {one.path}:{one.line}: {one.kind}  ({one.name})")
    return NegativeAnswerError.exit_code if done.left else 0
