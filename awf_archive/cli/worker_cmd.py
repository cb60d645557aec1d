"""`awf-archive worker`: what works off what hooks handed over (issue 7)."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.integrations import queue
from awf_archive.integrations.hook_files import Private, read_json


@click.group()
def command() -> None:
    """Work off what the hooks of a chat tool handed over. Hooks start it by themselves, and it ends by itself."""


@command.command("run")
@setup.common
def run(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Do every job that waits, then end; where another worker is at it, end at once."""
    from awf_archive.cli.damage_note import unsaved_json, unsaved_lines
    from awf_archive.integrations.unsaved import unsaved
    from awf_archive.integrations.worker import run as work_off
    from awf_archive.integrations.worker_jobs import Site

    ready = setup.prepare(workspace, lang)
    site = Site(
        layout=ready.layout,
        settings=ready.settings,
        language=ready.words.language,
        vaults=ready.vaults,
    )
    ran = work_off(site)
    lost = unsaved(ready.layout)
    if as_json:
        told = [unsaved_json(one) for one in lost]
        output.json_object({"done": ran.done, "left": ran.left, "busy": ran.is_busy, "unsaved": told})
        return 0
    output.text(f"{ran.done} done, {ran.left} waiting{', another worker is at it' if ran.is_busy else ''}")
    for one in lost:
        first, *more = unsaved_lines(one, ready.words.language)
        output.text("\n".join((f"  {first}", *(f"    → {line}" for line in more))))
    return 0


@command.command("status")
@setup.common
def status(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Say what waits, what was given up, and whether a worker is at it."""
    ready = setup.prepare(workspace, lang)
    private = Private(ready.layout.root)
    jobs = queue.waiting(private)
    failed = sorted(private.failed.glob("*.json"))
    is_working = queue.is_working(private)
    if as_json:
        output.json_object(
            {
                "working": is_working,
                "jobs": [_job(path) for path in jobs],
                "failed": [_job(path) for path in failed],
                "log": str(private.log),
            }
        )
        return 0
    output.text(
        f"{'A worker is at it' if is_working else 'No worker'}: {len(jobs)} waiting, {len(failed)} given up."
    )
    for path in (*jobs, *failed):
        job = _job(path)
        why = f": {job['reason']}" if job["reason"] else ""
        output.text(f"  {job['kind']} {job['trigger']} {job['window']} (tries: {job['tries']}){why}")
    if private.log.exists():
        output.text(f"Log: {private.log}")
    return 0


def _job(path: Path) -> dict[str, object]:
    entry = read_json(path)
    return {name: entry.get(name) for name in ("kind", "trigger", "window", "transcript", "reason")} | {
        "tries": entry.get("tries", 0)
    }
