"""The Atom feed of the newest sessions."""

from collections.abc import Iterator
from html import escape
from urllib.parse import quote

from awf_archive.render.clean import one_line
from awf_archive.site_builder.views import SessionView, SiteView

_ENTRIES = 50
_UNKNOWN = "1970-01-01T00:00:00Z"
"""Atom wants a date of every entry."""


def feed(site: SiteView, site_url: str) -> str:
    """Return the feed; without the site's address its links are relative to itself."""
    newest = site.readable[:_ENTRIES]
    base = f"{site_url.rstrip('/')}/" if site_url else ""
    name = escape(one_line(f"{site.workspace} · {site.words.site.site_name}".lstrip(" ·")))
    head = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{site.words.language}">\n'
        f"<title>{name}</title>\n<id>{_id(site.workspace)}</id>\n"
        f"<updated>{_moment(newest[0].last_date if newest else '')}</updated>\n"
        f'<link href="{escape(base)}index.html"/>\n<link rel="self" href="{escape(base)}feed.xml"/>\n'
        f"<author><name>awf-archive</name></author>\n"
    )
    return head + "".join(part for one in newest for part in _entry(site, one, base)) + "</feed>\n"


def _entry(site: SiteView, session: SessionView, base: str) -> Iterator[str]:
    yield f"<entry>\n<title>{escape(session.title)}</title>\n"
    yield f"<id>{_id(site.workspace, session.feature, session.session_id)}</id>\n"
    yield f"<updated>{_moment(session.last_date)}</updated>\n"
    yield f'<link href="{escape(base + session.link)}"/>\n'
    yield f'<category term="{escape(one_line(session.feature))}"/>\n'
    topics = " · ".join(session.facts.topics) if session.facts else ""
    if topics:
        yield f"<summary>{escape(topics)}</summary>\n"
    yield "</entry>\n"


def _id(*parts: str) -> str:
    return "urn:awf-archive:" + ":".join(quote(part, safe="") for part in parts)


def _moment(time: str) -> str:
    """Return a time as Atom wants it, to the second and with a zone.

    >>> _moment("2026-01-30T10:04:11.123Z"), _moment("2026-01-30"), _moment("")
    ('2026-01-30T10:04:11.123Z', '2026-01-30T00:00:00Z', '1970-01-01T00:00:00Z')
    """
    day, _, clock = time.partition("T")
    if not day or any(mark not in "0123456789-" for mark in day):
        return _UNKNOWN
    if not clock:
        return f"{day}T00:00:00Z"
    has_zone = clock.endswith("Z") or "+" in clock or "-" in clock
    return escape(time if has_zone else f"{time}Z")
