"""The thin MkDocs plugin: the only part that knows the engine (spec/site.md 6)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.config import base
from mkdocs.config import config_options as option
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page as EnginePage
from mkdocs.structure.toc import AnchorLink, TableOfContents

from awf_archive.domain.wording import choose
from awf_archive.render.cache import engine_stamp
from awf_archive.render.clean import title
from awf_archive.site_builder import search_index
from awf_archive.site_builder.collect import collect
from awf_archive.site_builder.kept import Kept
from awf_archive.site_builder.page import Frame, Page
from awf_archive.site_builder.pages import make_pages, search_entries
from awf_archive.site_builder.places import labels
from awf_archive.site_builder.prepare import Preparation
from awf_archive.site_builder.shell import DECISION_FRAME, NO_HEADING, SESSION_FRAME, Shell, Tokens, own_stamp
from awf_archive.site_builder.views import SiteView
from awf_archive.site_builder.writer import SessionWriter, State
from awf_archive.store.layout import Layout

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer


@dataclass(slots=True, kw_only=True)
class Job:
    """What `build.build` asks of a run; plain `mkdocs build` asks for nothing special."""

    layout: Layout
    language: str
    beside: tuple[Layout, ...] = ()
    """Other workspaces that the site shows too."""
    live: Path | None = None
    old: State = field(default_factory=State)
    full: bool = False
    jobs: int = 1
    with_words: bool = True
    progress: Callable[[int, int], None] = lambda _done, _total: None
    site: SiteView | None = None
    """Filled in by the run, as is `writer`."""
    writer: SessionWriter | None = None


class AwfConfig(base.Config):  # type: ignore[no-untyped-call]
    """The plugin's options in `mkdocs.yml`."""

    workspace = option.Type(str, default="")
    language = option.Type(str, default="en")


class AwfPlugin(BasePlugin[AwfConfig]):  # type: ignore[no-untyped-call]
    """Adds the archive's pages to the site and writes the sessions around MkDocs."""

    def __init__(self) -> None:
        self.job: Job | None = None
        self._tokens: dict[str, Tokens] = {}
        self._pages: dict[str, Page] = {}
        self._shells: dict[Frame, Shell] = {}
        self._kept: Kept | None = None
        self._rules = ""

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Read the archive; name the site and its tabs."""
        if self.job is None:
            root = Path(self.config.workspace or ".").resolve()
            self.job = Job(layout=Layout(root=root), language=self.config.language)
        job, words = self.job, choose(self.job.language)
        layouts = (job.layout, *job.beside)
        job.site = collect(
            [
                Preparation(
                    layout=layout,
                    words=words,
                    label=label,
                    full=job.full,
                    jobs=job.jobs,
                    with_words=job.with_words,
                    progress=job.progress,
                )
                for layout, label in zip(layouts, labels([one.root for one in layouts]), strict=True)
            ]
        )
        job.writer = SessionWriter(
            target=Path(config.site_dir),
            live=job.live,
            old=job.old,
            with_words=job.with_words,
        )
        self._pages = {page.uri: page for page in make_pages(job.site)}
        self._rules = f"{own_stamp()} {engine_stamp(words)}"
        self._kept = Kept.load(job.layout.render_cache / words.language / "tabs.json", self._rules)
        frames = {page.frame for page in self._pages.values() if not page.is_in_nav}
        self._tokens = {one.source: one for one in map(_tokens, {*frames, SESSION_FRAME, DECISION_FRAME})}
        config.site_name = f"{title(job.site.workspace)} · {words.site.site_name}".lstrip(" ·")
        config.theme["language"] = words.language
        config.copyright = words.site.made_by
        config.extra["awf"] = words.site
        config.nav = [{page.tab: page.uri} for page in self._pages.values() if page.is_in_nav]
        names = (words.site.theme_dark, words.site.theme_light)
        for palette, name in zip(config.theme["palette"], names, strict=False):
            palette["toggle"]["name"] = name
        return config

    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        """Add the tabs, and one empty page of each kind for all the others."""
        tabs = [page.uri for page in self._pages.values() if page.is_in_nav]
        for uri in tabs:
            files.append(File.generated(config, uri, content="", inclusion=InclusionLevel.INCLUDED))
        for uri in self._tokens:
            files.append(File.generated(config, uri, content="", inclusion=InclusionLevel.NOT_IN_NAV))
        return files

    def on_page_content(self, html: str, page: EnginePage, config: MkDocsConfig, files: Files) -> str:
        """Give a page its HTML; it never was Markdown."""
        del config, files
        uri = page.file.src_uri
        page.meta.update({"search": {"exclude": True}, "hide": ["navigation"]})
        if uri in self._tokens:
            tokens = self._tokens[uri]
            page.title = tokens.title
            page.meta["awf_shell"] = True
            sections = [(tokens.anchor, tokens.title)] if tokens.frame.has_toc else []
            html = f"{tokens.body}{NO_HEADING}"
        elif uri in self._pages:
            page.title = self._pages[uri].title
            sections = list(self._pages[uri].toc)
            ours = self._pages[uri]
            html = self._tab(ours)
        else:
            return html
        page.toc = TableOfContents([AnchorLink(name, anchor, 2) for anchor, name in sections])
        if not sections:
            page.meta["hide"] = ["navigation", "toc"]
        return html

    def _tab(self, page: Page) -> str:
        if not page.make:
            return page.html
        assert self._kept is not None  # noqa: S101 - `on_config` came before
        return self._kept.get(page.uri, page.key.encode(), partial(page.make, {}))

    def on_post_page(self, output: str, page: EnginePage, config: MkDocsConfig) -> str:
        """Name what the theme leaves without a name; take the empty pages away before MkDocs writes them."""
        output = named(output, config.theme["language"])
        tokens = self._tokens.get(page.file.src_uri)
        if tokens is None:
            return output
        self._shells[tokens.frame] = Shell.cut(output, tokens, self._rules)
        return ""

    def on_post_template(self, output: str, template_name: str, config: MkDocsConfig) -> str:
        """Keep the empty pages out of the site map; without an address there is no map."""
        if template_name != "sitemap.xml":
            return named(output, config.theme["language"])
        if not config.site_url:
            return ""
        empty = [tokens.uri for tokens in self._tokens.values()]
        return "".join(part for part in output.split("    <url>") if not any(uri in part for uri in empty))

    @event_priority(-100)
    def on_post_build(self, config: MkDocsConfig) -> None:
        """Write the sessions and everything else that MkDocs does not."""
        job = self.job
        if job is None or job.site is None or job.writer is None:
            return
        if self._kept:
            self._kept.save()
        job.writer.write_all(job.site, self._shells)
        job.writer.write_rest(job.site, self._pages.values(), self._shells, config.site_url or "")
        index = Path(config.site_dir) / "search" / "search_index.json"
        if index.is_file():
            search_index.write(index, search_entries(job.site))

    def on_serve(self, server: "LiveReloadServer", config: MkDocsConfig, builder: Any) -> "LiveReloadServer":  # noqa: ANN401
        """Build again when the archive changes."""
        del config, builder
        if self.job is not None and self.job.layout.archive.is_dir():
            server.watch(str(self.job.layout.archive))
        return server


def named(page: str, language: str) -> str:
    """Return a page with names on the theme's parts that have none for a screen reader.

    The theme's header stands before any text of ours, so the first of each is the theme's.
    """
    words = choose(language).site
    told = (
        ('data-md-component="search" role="dialog"', words.search),
        ('data-md-toggle="search" type="checkbox"', words.search),
        ('data-md-toggle="drawer" type="checkbox"', words.show_menu),
    )
    for part, name in told:
        page = page.replace(part, f'{part} aria-label="{escape(name)}"', 1)
    return page


def _tokens(frame: Frame) -> Tokens:
    return Tokens(frame=frame)
