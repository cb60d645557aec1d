"""`awf-archive backup`: one file of everything, and back."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.trust_words import TRUST_WORDS
from awf_archive.services.backup import back_up, unpack
from awf_archive.services.keep import existing_vault, workspace_vault


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--restore", "is_restore", is_flag=True, help="Unpack FILE into this workspace.")
@setup.common
def command(*, file: Path, is_restore: bool, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Write the archive, the work state and the vault into one FILE, or unpack it. Both ways are verified."""
    ready = setup.prepare(workspace, lang)
    if is_restore:
        done = unpack(ready.layout, workspace_vault(ready.layout, ready.vaults), file)
    else:
        done = back_up(ready.layout, existing_vault(ready.layout, ready.vaults), file)
    if as_json:
        output.json_object({"path": str(done.path), "files": done.files, "bytes": done.bytes})
        return 0
    words = TRUST_WORDS[ready.words.language]
    line = words.unpacked if is_restore else words.backed_up
    output.text(counted(line, path=done.path, files=done.files, bytes=done.bytes))
    return 0
