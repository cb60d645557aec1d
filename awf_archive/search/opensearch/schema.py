"""What a turn becomes in the cluster: one document, its terms in our own positions, its words for snippets.

The cluster cuts no words. A field is sent as its terms: a blank between positions, `|` between terms of one position,
`|` alone for a position without any. So phrases mean the same as in a workspace's index.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from awf_archive.search.analysis import ANALYSIS_VERSION, term_stream
from awf_archive.search.documents import About, Document, Kind, Part
from awf_archive.search.facets import facets
from awf_archive.search.filters import seconds

MAPPING_VERSION = 1
"""Change it with anything written here: an index of another version is another index (`upgrade`)."""

MOST_CHARACTERS = 1_000_000
"""Of one part of a turn; what is beyond is not sent. Only tools write so much."""
_LONGEST_FACET = 1_000

TERMS_OF: Mapping[Part, str] = {
    Part.SAID: "terms.text",
    Part.TOOLS: "terms.tools",
    Part.THINKING: "terms.thinking",
    Part.SUMMARY: "terms.summary",
}
USER = "terms.user"
_NAMES = tuple(field.removeprefix("terms.") for field in (USER, *TERMS_OF.values()))

_TITLE_TIMES = 3
"""So often a title counts among the user's words. A field of its own would be scored by the few that have one."""

Json = dict[str, Any]


def generation(version: int = MAPPING_VERSION) -> str:
    """Return the part of an index's name that tells how it was made."""
    return f"v{version}.{ANALYSIS_VERSION}"


def place_of(index: str, time: str, version: int = MAPPING_VERSION) -> str:
    """Return the index that a turn of this time lies in: one a month, so that a month can be let go.

    >>> place_of("awf", "2026-03-05T10:00:00Z"), place_of("awf", "")
    ('awf-v1.1-2026.03', 'awf-v1.1-undated')
    """
    is_dated = seconds(time) is not None
    return f"{index}-{generation(version)}-{f'{time[:4]}.{time[5:7]}' if is_dated else 'undated'}"


def index_body(alias: str, shards: int, *, is_live: bool) -> Json:
    """Return settings and mapping of a new index; a live one can be searched at once."""
    return {
        "settings": {
            "number_of_shards": shards,
            "auto_expand_replicas": "0-1",
            "refresh_interval": "5s",
            "codec": "best_compression",
            "similarity": {"default": {"type": "BM25", "k1": 1.2, "b": 0.6}},
            "analysis": {
                "tokenizer": {"positions": {"type": "whitespace", "max_token_length": 8_192}},
                "filter": {
                    "terms": {"type": "pattern_capture", "preserve_original": False, "patterns": ["([^|]+)"]},
                    "holes": {"type": "stop", "stopwords": ["|"]},
                },
                "analyzer": {
                    "terms": {"type": "custom", "tokenizer": "positions", "filter": ["terms", "holes"]}
                },
            },
        },
        "mappings": _mapping(),
        "aliases": {alias: {}} if is_live else {},
    }


def _mapping() -> Json:
    keyword = {"type": "keyword"}
    unsearched = {"type": "object", "enabled": False}
    terms = {"type": "text", "analyzer": "terms", "search_analyzer": "whitespace"}
    return {
        "dynamic": False,
        "_meta": {"mapping": MAPPING_VERSION, "analysis": ANALYSIS_VERSION},
        "_source": {"excludes": ["terms"]},
        "properties": {
            "uid": keyword,
            "archive": keyword,
            "author": keyword,
            "kind": keyword,
            "feature": keyword,
            "session": keyword,
            "turn": {"type": "integer"},
            "when": {"type": "date", "format": "epoch_second"},
            "sent": {"type": "date", "format": "epoch_second"},
            "facet": keyword,
            "words": unsearched,
            "shown": unsearched,
            "terms": {"properties": dict.fromkeys(_NAMES, terms)},
        },
    }


class Entry(NamedTuple):
    """A document for the cluster."""

    uid: str
    """The same wherever and whenever it is sent."""
    time: str
    revision: int
    digest: str
    """Of all that is sent: what did not change is not sent again."""
    source: Json


def uid_of(archive: str, document: Document) -> str:
    """Return a document's id: archive, feature, session, turn, and what names it where these do not."""
    name = (archive, document.feature, document.session, document.kind, str(document.turn), document.id)
    return hashlib.blake2b("\0".join(name).encode(errors="surrogatepass"), digest_size=16).hexdigest()


def entries(archive: str, documents: Iterable[Document]) -> Iterator[Entry]:
    """Yield what is sent for documents; the parts of a turn, which come in a row, become one."""
    for uid, parts in groupby(documents, lambda document: uid_of(archive, document)):
        yield _entry(archive, uid, list(parts))


def _entry(archive: str, uid: str, parts: list[Document]) -> Entry:
    first = next((part for part in parts if part.part is Part.SAID), parts[0])
    about = first.about or About()
    words = {"user": first.user} | {part.part.value: part.text for part in parts}
    words = {name: _sendable(text[:MOST_CHARACTERS]) for name, text in words.items() if text}
    when = seconds(first.time)
    source: Json = {
        "uid": uid,
        "archive": archive,
        "author": _sendable(about.author),
        "kind": first.kind.value,
        "feature": _sendable(first.feature),
        "session": _sendable(first.session),
        "turn": first.turn,
        "facet": _facets(parts),
        "words": words,
        "shown": _shown(first, about),
    } | ({} if when is None else {"when": when})
    digest = hashlib.blake2b(json.dumps(source, sort_keys=True).encode(), digest_size=12).hexdigest()
    return Entry(uid, first.time, about.revision, digest, source)


def _shown(first: Document, about: About) -> Json:
    return {
        "id": first.id,
        "time": first.time,
        "title": _sendable(first.title),
        "path": _sendable(first.path),
        "sessionTitle": _sendable(about.session_title),
        "local": about.local,
        "revision": about.revision,
        "abandoned": about.is_abandoned,
    }


def _facets(parts: list[Document]) -> list[str]:
    found = dict.fromkeys(facet for part in parts for facet in facets(part))
    return [_sendable(facet) for facet in found if len(facet) <= _LONGEST_FACET]


def _sendable(text: str) -> str:
    """Return a text that JSON in UTF-8 can hold: a lone surrogate becomes a replacement character."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def with_terms(source: Json) -> Json:
    """Return what is sent, with the terms; made last, for they are as large as the words and never kept."""
    words = source["words"]
    texts = {field: [words.get(part.value, "")] for part, field in TERMS_OF.items()}
    texts[USER] = [*[source["shown"]["title"]] * _TITLE_TIMES, words.get("user", "")]
    made = {
        field.removeprefix("terms."): list(filter(None, map(term_stream, each)))
        for field, each in texts.items()
    }
    return source | {"terms": {name: each for name, each in made.items() if each}}


def document_of(source: Json) -> Document:
    """Return what a hit shows: the document without its words."""
    shown = source.get("shown", {})
    return Document(
        kind=Kind(source["kind"]),
        feature=source.get("feature", ""),
        session=source.get("session", ""),
        turn=source.get("turn", 0),
        id=shown.get("id", ""),
        time=shown.get("time", ""),
        title=shown.get("title", ""),
        path=shown.get("path", ""),
        about=About(
            author=source.get("author", ""),
            session_title=shown.get("sessionTitle", ""),
            local=shown.get("local", 0),
            revision=shown.get("revision", 0),
            is_abandoned=bool(shown.get("abandoned")),
        ),
    )
