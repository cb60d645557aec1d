"""`awf-archive restore`: the original transcript files, byte for byte."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.domain.wording.trust_words import TRUST_WORDS
from awf_archive.errors import NegativeAnswerError
from awf_archive.services.keep import existing_vault
from awf_archive.services.restore import restore
from awf_archive.services.window_names import named


@click.command()
@click.argument("window")
@click.option("--to", type=click.Path(path_type=Path), help="Folder to write to. [default: where they lay]")
@setup.common
def command(*, window: str, to: Path | None, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Write a conversation's original files back, where its chat tool can resume it.

    WINDOW is a session of it, such as login/session-003, or its window's id or the beginning of that. A file that
    is there with other bytes is not touched.
    """
    ready = setup.prepare(workspace, lang)
    vault = existing_vault(ready.layout, ready.vaults)
    if vault is None:
        raise NegativeAnswerError(
            f"{ready.layout.root}: this workspace has no vault yet.", "A checkpoint makes it."
        )
    done = restore(vault, named(ready.archive, window).window, to)
    if as_json:
        files = [{"path": str(one.path), "size": one.size, "new": one.is_new} for one in done]
        output.json_object({"window": window, "files": files})
        return 0
    words = TRUST_WORDS[ready.words.language]
    for one in done:
        output.text(f"{one.path}  {one.size} B{'' if one.is_new else f'  ({words.unchanged})'}")
    return 0
