"""Summaries by the configured command behind the hooks: after all jobs, no lock held (docs/summaries.md)."""

from datetime import UTC, datetime

from awf_archive import config
from awf_archive.domain.wording import choose
from awf_archive.errors import ArchiveError
from awf_archive.integrations.hook_files import log
from awf_archive.integrations.worker_jobs import Site
from awf_archive.services.chunk_model import Model
from awf_archive.services.chunk_rebuild import Rebuilding, rebuild
from awf_archive.services.decisions_reading_command import Reader, read_by_command
from awf_archive.services.redacted_archive import allowed_in, redacted
from awf_archive.store.archive import Archive


def write_summaries(site: Site) -> bool:
    """Let the command write the summaries that this run made; return whether any changed.

    A worker that is killed here leaves the summaries in the turns' own words, which are committed already.
    """
    environment = config.summary_environment()
    allowed = allowed_in(site.layout.root)
    model = Model(command=site.settings.summary, environment=environment, allowed=allowed)
    is_changed = False
    for feature, chunk_id in site.chunks:
        work = Rebuilding(
            archive=Archive(layout=site.layout),
            now=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            fallback=choose(site.language),
            model=model,
        )
        try:
            for one in rebuild(work, feature, [chunk_id]):
                is_changed |= one.outcome == "made"
                if one.why:
                    log(site.private, f"summary {feature} {chunk_id}: {one.why}")
                if site.settings.summary.decisions:
                    is_changed |= _read_decisions(site, feature, one.turns)
        except ArchiveError as problem:
            log(site.private, f"summary {feature} {chunk_id}: {problem.message}")
    return is_changed


def _read_decisions(site: Site, feature: str, turns: tuple[int, int]) -> bool:
    """Let the command read summarised turns for decisions; return whether any was recorded."""
    reader = Reader(command=site.settings.summary, environment=config.summary_environment())
    done = read_by_command(redacted(site.layout), feature, turns, reader)
    for problem in done.failed:
        log(site.private, f"decisions {problem}")
    for one in done.taken.refused:
        log(site.private, f"decisions {feature}: line {one.line}: {one.why}")
    return done.taken.is_change
