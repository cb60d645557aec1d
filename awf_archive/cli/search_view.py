"""What a search's answer looks like (SPEC 4, 9)."""

from awf_archive.domain.escape import visible
from awf_archive.domain.wording import Wording
from awf_archive.domain.wording.team_words import TEAM_WORDS
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
        lines.append(said.more.format(shown=seen, total=_total(answer), offset=seen))
    return "\n".join(lines).rstrip("\n")


def _total(answer: Answer) -> str:
    is_at_least = answer.team is not None and answer.team.is_at_least
    return f"{answer.result.total}{'+' * is_at_least}"


_Ranked = tuple[int, Shown]


def _by_session(answer: Answer, offset: int) -> list[list[_Ranked]]:
    groups: dict[tuple[str, str, str], list[_Ranked]] = {}
    for rank, shown in enumerate(answer.shown, offset + 1):
        archive = shown.elsewhere.archive if shown.elsewhere else ""
        groups.setdefault((archive, shown.hit.feature, shown.hit.session), []).append((rank, shown))
    return list(groups.values())


def _heading(shown: Shown) -> str:
    hit = shown.hit
    where = hit.feature or hit.path
    if shown.elsewhere:
        where = f"{shown.elsewhere.archive} · {where}"
    return f"■ {' · '.join(filter(None, (where, hit.session, shown.session_title)))}"


def _hit(rank: int, shown: Shown, words: Wording) -> list[str]:
    hit = shown.hit
    where = f"{hit.feature}#{hit.turn}" if hit.turn else hit.feature
    kind = words.search.kinds.get(hit.kind, hit.kind)
    named = f"{kind} {hit.id}" if hit.id else kind
    found_in = words.search.found_in.get(shown.found_in, "")
    mark = f"({words.listing.abandoned})" if shown.is_abandoned else ""
    author = shown.elsewhere.author if shown.elsewhere else ""
    by = TEAM_WORDS[words.language].by.format(author=author) if author else ""
    facts = (where, named, hit.time[:10], found_in, by, mark, _standing(shown, words))
    lines = [f"  {rank}. {' · '.join(filter(None, facts))}"]
    if hit.title:
        lines.append(f"     {hit.title}")
    if shown.snippet.text:
        lines.append(f"     {_marked(shown.snippet)}")
    url = shown.elsewhere.url if shown.elsewhere else ""
    return [*lines, f"     {url or hit.path}"]


def _standing(shown: Shown, words: Wording) -> str:
    """Return where a decision stands, if it is not simply accepted."""
    if shown.status in {"", "accepted"}:
        return ""
    from awf_archive.domain.wording.decision_words import DECISION_WORDS

    return f"({DECISION_WORDS[words.language].statuses[shown.status]})"


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
    } | _team_json(answer)


def _team_json(answer: Answer) -> dict[str, object]:
    """Return what only a team's search has to say."""
    if answer.team is None:
        return {}
    note = answer.team
    return {"partial": note.is_partial, "atLeast": note.is_at_least, "away": note.away or None}


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
        "status": shown.status or None,
    } | _elsewhere_json(shown)


def _elsewhere_json(shown: Shown) -> dict[str, object]:
    if shown.elsewhere is None:
        return {}
    place = shown.elsewhere
    return {"archive": place.archive, "author": place.author, "url": place.url or None}
