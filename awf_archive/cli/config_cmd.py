"""`awf-archive config`: every setting with its value and where it comes from (SPEC 8)."""

from pathlib import Path

import click

from awf_archive import config
from awf_archive.brain.folder import Brain
from awf_archive.brain.preferences import KEY, auto_save_config, origins
from awf_archive.cli import config_view, output, setup
from awf_archive.errors import NegativeAnswerError


@click.command()
@setup.common
def command(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Show every setting with its value and where it comes from: option, environment, file or default.

    Exit code 1 when a file says one of them wrong.
    """
    ready = setup.prepare(workspace, lang)
    rows = [*_settings(ready, lang), *_auto_save(ready)]
    if as_json:
        output.json_object({"settings": [config_view.as_json(one) for one in rows]})
    else:
        output.text(config_view.table(rows, config.user_file(), ready.layout.root / config.FILE_NAME))
    return NegativeAnswerError.exit_code if ready.settings.wrong else 0


def _settings(ready: setup.Setup, lang: str | None) -> list[config_view.Row]:
    """Return the settings of `awf-archive.toml`; an option wins over all of them."""
    settings = ready.settings
    rows = [
        config_view.Row(
            name,
            getattr(settings, name),
            settings.origins.get(name, config_view.DEFAULT),
            settings.wrong.get(name, ""),
        )
        for name in config.SETTINGS
    ]
    if lang is None:
        return rows
    return [row._replace(value=lang, origin="--lang") if row.name == "language" else row for row in rows]


def _auto_save(ready: setup.Setup) -> list[config_view.Row]:
    """Return AWF's own settings, which AWF keeps in `preferences.json` (SPEC 3.6)."""
    brain, home = Brain(ready.layout.root), Path.home()
    held, where = auto_save_config(brain, home), origins(brain, home)
    names = ("enabled", "notify_on_save", "checkpoint_interval", "warn_threshold", "snapshot_retention_days")
    return [
        config_view.Row(f"{KEY}.{name}", getattr(held, name), where.get(name, config_view.DEFAULT))
        for name in names
    ]
