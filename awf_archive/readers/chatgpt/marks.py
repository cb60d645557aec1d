"""Citation marks of ChatGPT, which only its own page can show, made readable from the message's references."""

import re
from collections.abc import Iterable

from awf_archive.domain.transcript import Json
from awf_archive.readers.shared.values import JsonObject, objects_at, parsed, text_at, value_at

_MARK = re.compile("\ue200([^\ue200\ue201]*)\ue201")
_STRAY = re.compile("[\ue200-\ue2ff]")
_OLD_MARK = re.compile(r"【\d+(?::\d+)?†[^】]*】")
_PARTS = "\ue202"


def readable(text: str, metadata: JsonObject) -> str:
    """Return a message's text with its marks as links or words; a text without marks stays as it is.

    >>> readable("Fast.\ue200cite\ue202turn0search3\ue201", {})
    'Fast.'
    >>> readable('\ue200entity\ue202["people","Ada",0]\ue201 wrote', {})
    'Ada wrote'
    """
    if not _STRAY.search(text) and not _OLD_MARK.search(text):
        return text
    for reference in objects_at(metadata, "content_references"):
        matched = text_at(reference, "matched_text")
        if _STRAY.search(matched) or _OLD_MARK.fullmatch(matched):
            text = text.replace(matched, _words_for(reference))
    text = _old_citations(text, metadata)
    text = _MARK.sub(lambda match: _words_in(match[1]), text)
    return _STRAY.sub("", text)


def _words_for(reference: JsonObject) -> str:
    """Return what the page shows in a mark's place: its own alternative text, or links to the sources."""
    if alternative := text_at(reference, "alt"):
        return alternative
    links = _links([*objects_at(reference, "items"), *objects_at(reference, "fallback_items"), reference])
    return (
        f" ({', '.join(links)})" if links else text_at(reference, "name") or text_at(reference, "prompt_text")
    )


def _links(items: Iterable[Json]) -> list[str]:
    links: dict[str, None] = {}
    for item in items:
        if url := text_at(item, "url"):
            links[f"[{text_at(item, 'title') or url}]({url})"] = None
    return list(links)


def _words_in(mark: str) -> str:
    """Return what a mark says by itself, where no reference explains it."""
    kind, *arguments = mark.split(_PARTS)
    if kind in {"cite", "filecite", "image_group", "video", "i"} or not arguments:
        return ""
    value = parsed(arguments[0])
    if kind == "entity" and isinstance(value, list) and len(value) > 1 and isinstance(value[1], str):
        return value[1]
    if kind in {"url", "link"}:
        return arguments[0] if len(arguments) == 1 else f"[{arguments[0]}]({arguments[-1]})"
    return "" if kind == "navlist" else arguments[0]


def _old_citations(text: str, metadata: JsonObject) -> str:
    """Turn `【12†source】` into a link where the message says what it cites; keep it where not."""
    for citation in objects_at(metadata, "citations"):
        url = text_at(citation, "metadata", "url")
        named = str(value_at(citation, "metadata", "extra", "cited_message_idx"))
        if not url or not named.isdigit():
            continue
        link = f"[{text_at(citation, 'metadata', 'title') or url}]({url})"
        text = re.sub(rf"【{named}†[^】]*】", lambda _match, link=link: link, text)  # type: ignore[misc]
    return text
