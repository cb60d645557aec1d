"""`awf-archive trust`: let what came with a folder count: its `.brain`, its settings (SPEC 8)."""

from pathlib import Path

import click

from awf_archive import config
from awf_archive.cli import output, setup
from awf_archive.domain.wording.install_words import INSTALL_WORDS
from awf_archive.errors import NegativeAnswerError
from awf_archive.integrations import trust


@click.command()
@click.option("--show", is_flag=True, help="Say whether this folder is trusted, and change nothing.")
@click.option("--revoke", is_flag=True, help="Trust it no longer.")
@setup.common
def command(*, show: bool, revoke: bool, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Trust this folder: its .brain may be told in new windows, its settings file counts as it is now.

    A folder that someone else made (a cloned repository) is not trusted before. Look at .brain and at
    awf-archive.toml first. When the settings file changes, it must be trusted anew.
    """
    ready = setup.prepare(workspace, lang)
    root, words = ready.layout.root, INSTALL_WORDS[ready.words.language]
    if revoke:
        trust.forget(root)
    elif not show:
        trust.remember(root, trust.TRUSTED, trust.settings_digest(root))
    known = trust.trust_of(root)
    if as_json:
        is_settings = config.is_file_trusted(root)
        output.json_object(
            {"workspace": str(root), "brain": known.origin or None, "settingsTrusted": is_settings}
        )
        return 0
    if revoke:
        output.text(words.forgotten.format(path=root))
        return 0
    if not known.origin:
        output.text(words.not_trusted.format(path=root))
        return NegativeAnswerError.exit_code
    output.text(words.origin.format(origin=known.origin) if show else words.trusted.format(path=root))
    if config.is_file_trusted(root):
        output.text(words.settings_trusted.format(path=root / config.FILE_NAME))
    return 0
