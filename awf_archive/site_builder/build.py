"""`site build`: make the site beside the live one, then bring the live one up to date (spec/site.md 6)."""

import gc
import logging
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from awf_archive.errors import ArchiveError
from awf_archive.services.processors import available_processors
from awf_archive.site_builder.places import configuration
from awf_archive.site_builder.publish import as_disk_error, check_target, publish
from awf_archive.store.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from awf_archive.site_builder.plugin import Job


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a build made."""

    sessions: int
    pages: int
    """Pages of the whole site, also those that did not change."""
    changed: int
    """Files written or deleted by this build."""
    size: int
    """Bytes of the whole site."""
    masked: Mapping[str, int]
    """Secrets that are masked in its turns, by kind."""
    path: Path
    """The page to open."""
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the object that `--json` prints (SPEC 9)."""
        return {
            "sessions": self.sessions,
            "pages": self.pages,
            "changed": self.changed,
            "bytes": self.size,
            "masked": dict(self.masked),
            "path": str(self.path),
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """How thorough a build is, how fast, and what else is on the site."""

    full: bool = False
    """Compare every turn file by its content and write every session anew."""
    jobs: int = 0
    """Processes that render new sessions; 0 for as many as there are processors."""
    with_words: bool = True
    """Whether the words of every turn can be searched: half of the site's size."""
    beside: tuple[Layout, ...] = ()
    """Other workspaces that the site shows too."""


DEFAULT = How()


@contextmanager
def _seldom_collected() -> "Iterator[None]":
    """Let Python look for values that nobody holds seldom: those of 5 000 sessions all stay, and looking took 5 %."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@_seldom_collected()
def build(
    layout: Layout,
    *,
    site_dir: Path | None = None,
    language: str = "en",
    how: How = DEFAULT,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Report:
    """Build the site of a workspace, and of those beside it, and return what was made.

    Only what changed is rendered and written; where the workspace cannot be written, everything is rendered and
    nothing of it kept. `progress` is told how many sessions of how many are read. What
    does not read is a warning.
    Raises UsageError when `site_dir` holds someone else's files, DiskError when it cannot be written.
    """
    from awf_archive.site_builder.plugin import Job

    live = (site_dir or layout.site).resolve()
    old = check_target(live, layout.site.resolve())
    is_elsewhere = not live.is_relative_to(layout.private.resolve())
    try:
        with _workplace((layout, *how.beside), is_elsewhere=is_elsewhere) as (staged, (own, *beside)):
            job = Job(layout=own, language=language, beside=tuple(beside), progress=progress)
            job.full, job.with_words = how.full, how.with_words
            job.jobs, job.live, job.old = (
                how.jobs or available_processors(),
                (None if how.full else live),
                old,
            )
            _run(job, staged)
            assert job.writer is not None  # noqa: S101 - the run sets it, or raises
            changed = publish(staged, live, old, job.writer.new)
    except OSError as problem:
        raise as_disk_error(problem, live) from problem
    site = job.site
    return Report(
        sessions=len(site.readable) if site else 0,
        pages=job.writer.pages,
        changed=changed,
        size=sum(os.stat(f"{live}/{name}").st_size for name in job.writer.new.all_files()),  # noqa: PTH116 - 13 000 paths
        masked=site.masked if site else {},
        path=live / "index.html",
        warnings=site.warnings if site else (),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReadOnly(Layout):
    """A workspace that cannot be written: what is rendered lies somewhere else, until the build ends."""

    passing: Path

    @property
    def render_cache(self) -> Path:
        return self.passing


@contextmanager
def _workplace(layouts: Sequence[Layout], *, is_elsewhere: bool) -> "Iterator[tuple[Path, list[Layout]]]":
    """Give a folder for the new site, gone afterwards, and the workspaces with a place for what is rendered.

    Raises OSError when the first one cannot be written though its site is to lie there.
    """
    with ExitStack() as stack:

        def passing(folder: Path | None = None) -> Path:
            return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="site-", dir=folder)))

        ready: list[Layout] = []
        for layout in layouts:
            try:
                _make_private(layout)
                ready.append(layout)
            except OSError:
                if not (is_elsewhere or ready):
                    raise
                ready.append(_ReadOnly(root=layout.root, archive_dir=layout.archive_dir, passing=passing()))
        is_kept = ready[0] is layouts[0]
        yield passing(layouts[0].private if is_kept else None), ready


def _make_private(layout: Layout) -> None:
    """Make the folders of what is kept between builds. Raises OSError when nothing can be written there."""
    layout.render_cache.mkdir(parents=True, exist_ok=True)
    if not layout.ignore.exists():
        layout.ignore.write_text("*\n", "utf-8")
    with tempfile.TemporaryFile(dir=layout.render_cache):
        pass


def _run(job: "Job", staged: Path) -> None:
    """Let MkDocs build into the staging folder, with our plugin told what to do."""
    from mkdocs.commands import build as engine
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    from awf_archive.site_builder.plugin import AwfPlugin

    logging.getLogger("mkdocs").setLevel(logging.ERROR)
    try:
        config = load_config(str(configuration()), site_dir=str(staged))
        plugin = config.plugins["awf"]
        if not isinstance(plugin, AwfPlugin):
            raise ArchiveError("mkdocs.yml: the plugin called awf is not ours.")
        plugin.job = job
        config.plugins.on_startup(command="build", dirty=False)
        engine.build(config)
        config.plugins.on_shutdown()
    except MkDocsException as problem:
        raise ArchiveError(f"MkDocs could not build the site: {problem}") from problem
