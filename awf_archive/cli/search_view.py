"""What a search's answer looks like (SPEC 4, 9)."""

from awf_archive.domain.escape import visible
from awf_archive.domain.wording import Wording
from awf_archive.search.documents import Request
from awf_archive.search.snippets import Snippet
from awf_archive.services.search import Answer
from awf_archive.services.search_passages import Shown


def page(answer: Answer, request: Request, words: Wording) -> str:
    """Return the hits for a person, grouped by session: the session of the best hit first, each hit with its rank."""
    said, result = words.search, answer.result
    topic = visible(request.topic)
    lines = [said.headline.format(topic=topic), ""]
    if result.note:
        lines.append(said.notes[result.note])
    if result.did_you_mean:
        lines.append(said.did_you_mean.format(topic=visible(result.did_you_mean)))
    if not answer.shown:
        nothing = () if request.offset and result.total else (said.nothing.format(topic=topic),)
        return "\n".join([*lines, *nothing]).rstrip("\n")
    if lines[-1]:
        lines.append("")
    for hits in _by_session(answer, request.offset):
        lines += [_heading(hits[0][1]), *(line for hit in hits for line in _hit(*hit, words)), ""]
    seen = request.offset + len(answer.shown)
    if seen < result.total:
        lines.append(said.more.format(shown=seen, total=result.total, offset=seen))
    return "\n".join(lines).rstrip("\n")


_Ranked = tuple[int, Shown]


def _by_session(answer: Answer, offset: int) -> list[list[_Ranked]]:
    groups: dict[tuple[str, str], list[_Ranked]] = {}
    for rank, shown in enumerate(answer.shown, offset + 1):
        groups.setdefault((shown.hit.feature, shown.hit.session), []).append((rank, shown))
    return list(groups.values())


def _heading(shown: Shown) -> str:
    hit = shown.hit
    where = hit.feature or hit.path
    return f"■ {' · '.join(filter(None, (where, hit.session, shown.session_title)))}"


def _hit(rank: int, shown: Shown, words: Wording) -> list[str]:
    hit = shown.hit
    where = f"{hit.feature}#{hit.turn}" if hit.turn else hit.feature
    kind = words.search.kinds.get(hit.kind, hit.kind)
    named = f"{kind} {hit.id}" if hit.id else kind
    found_in = words.search.found_in.get(shown.found_in, "")
    mark = f"({words.listing.abandoned})" if shown.is_abandoned else ""
    facts = (where, named, hit.time[:10], found_in, mark)
    lines = [f"  {rank}. {' · '.join(filter(None, facts))}"]
    if hit.title:
        lines.append(f"     {hit.title}")
    if shown.snippet.text:
        lines.append(f"     {_marked(shown.snippet)}")
    return [*lines, f"     {hit.path}"]


def _marked(snippet: Snippet) -> str:
    """Return the passage with its words marked: between « and », which survive every pipe and pager."""
    parts: list[str] = []
    at = 0
    for first, last in snippet.marks:
        parts += [snippet.text[at:first], "«", snippet.text[first:last], "»"]
        at = last
    return "".join((*parts, snippet.text[at:]))


def as_json(answer: Answer) -> dict[str, object]:
    """Return the object of SPEC 9."""
    result = answer.result
    return {
        "query": result.query,
        "total": result.total,
        "tookMs": round(result.took_ms, 1),
        "note": result.note.value or None,
        "didYouMean": result.did_you_mean or None,
        "hits": [_hit_json(shown) for shown in answer.shown],
    }


def _hit_json(shown: Shown) -> dict[str, object]:
    hit = shown.hit
    return {
        "kind": hit.kind.value,
        "part": hit.part.value,
        "feature": hit.feature,
        "session": hit.session,
        "turn": hit.turn,
        "id": hit.id or None,
        "time": hit.time,
        "title": hit.title,
        "role": shown.role.value,
        "path": hit.path,
        "score": round(hit.score, 4),
        "snippet": shown.snippet.text,
        "marks": [list(mark) for mark in shown.snippet.marks],
        "branch": "abandoned" if shown.is_abandoned else "main",
    }
