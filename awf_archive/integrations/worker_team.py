"""Sending what was saved to the team's search, after everything else a worker does (issue 11)."""

from awf_archive import config
from awf_archive.errors import ArchiveError
from awf_archive.integrations import queue
from awf_archive.integrations.hook_files import Private, log
from awf_archive.store.layout import Layout


def feed_team(layout: Layout, settings: config.Settings) -> None:
    """Push if a team is set up and no failure asks for a pause. What fails is logged and tried again another time."""
    if not settings.team.url:
        return
    from awf_archive.services.team import is_due, push

    try:
        if is_due(layout, settings.team):
            push(layout, settings.team)
    except ArchiveError as problem:
        log(Private(layout.root), f"team: {problem.message}")


def wake_for_team(layout: Layout, settings: config.Settings) -> None:
    """Start a worker that pushes, so that nobody who saves waits for a network."""
    if not settings.team.url:
        return
    try:
        queue.wake(Private(layout.root))
    except OSError as problem:
        log(Private(layout.root), f"team: no worker could be started ({problem.strerror})")
