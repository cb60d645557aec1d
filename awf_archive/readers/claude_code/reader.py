"""Claude Code's session files: JSON Lines, or the same records as one JSON array (docs/formats/claude-code.md)."""

import re
from collections.abc import Iterator, Sequence

from awf_archive.domain.ids import TurnId, WindowId
from awf_archive.domain.transcript import Branch, Origin, Outline, Problem, Transcript
from awf_archive.errors import InputError
from awf_archive.readers.base import Reader, Source, single
from awf_archive.readers.claude_code.agents import AgentFile, attach_agents, digest_of, find_agents
from awf_archive.readers.claude_code.array import elements
from awf_archive.readers.claude_code.branches import foreign_sessions, left_behind
from awf_archive.readers.claude_code.load import TurnLoader
from awf_archive.readers.claude_code.plan import TurnPlan
from awf_archive.readers.claude_code.records import KNOWN_TYPES
from awf_archive.readers.claude_code.scan import Scan
from awf_archive.readers.claude_code.side import side_digest
from awf_archive.readers.shared.head import objects_in, record_on
from awf_archive.readers.shared.jsonl import Line, chunks, lines
from awf_archive.readers.shared.values import JsonObject, text_at

_HEAD = 1 << 18
_LONG_LINE_MARKS = (b'"sessionId"', b'"isSidechain"', b'"parentUuid"')
"""What a first line longer than the head shows of itself."""


def accepts(source: Source) -> bool:
    """Tell whether the first records are Claude Code's own: a known type and one of its ids."""
    head = source.read(0, _HEAD)
    found = _records(source, head)
    if not found:
        return head.lstrip(b"\xef\xbb\xbf[ \r\n\t").startswith(b"{") and all(
            mark in head for mark in _LONG_LINE_MARKS
        )
    return any(map(_is_ours, found)) and not any("payload" in record for record in found)


def _records(source: Source, head: bytes) -> Sequence[JsonObject]:
    if not _is_array(head):
        return objects_in(head)
    found = (record_on(line.data) for line in elements(chunks(source, _HEAD)))
    return [record for record in found if record is not None]


def _is_ours(record: JsonObject) -> bool:
    if text_at(record, "type") not in KNOWN_TYPES:
        return False
    has_message = bool(text_at(record, "uuid")) and isinstance(record.get("message"), dict)
    return has_message or any(key in record for key in ("sessionId", "leafUuid", "snapshot"))


def read(source: Source) -> Transcript:
    """Read a session: outlines now, each turn's text when it is asked for.

    Raises InputError when the file holds messages of which none can be read.
    """
    scan = _scan(source)
    _refuse_unread(scan, source)
    windows = tuple(map(WindowId, scan.facts.windows(source.stem)))
    agents = [] if scan.sidechains_are_main else find_agents(source, windows, scan.links)
    for turn, numbers in _attach(scan, agents).items():
        scan.turns[turn].agents.extend(numbers)
        scan.turns[turn].hasher.update(digest_of(numbers, agents))
    side_files = _side_files(source)
    missing = _add_side_files(scan, side_files)
    plans = _plans(scan.turns)
    problems = (*scan.log.problems(), *missing, *_unknown_parents(scan))
    loader = TurnLoader(source=source, plans=plans, agents=agents, side_files=side_files)
    return Transcript(
        format=READER.name,
        windows=windows,
        outlines=tuple(_outlines(scan, plans, source.stem)),
        load=loader.load,
        problems=(*sorted(problems, key=_line_of), *(found for agent in agents for found in agent.problems)),
        title=scan.facts.title(scan.tree),
        cwd=scan.facts.cwd,
        git_branch=scan.facts.git_branch,
        tool_version=scan.facts.tool_version,
        records=scan.records,
        unreadable=scan.log.unreadable,
        duplicates=scan.duplicates,
        companions=tuple(sorted({*source.companions("{stem}/**/*"), *(agent.name for agent in agents)})),
    )


def _lines(source: Source) -> Iterator[Line]:
    split = elements if _is_array(source.read(0, _HEAD)) else lines
    return split(chunks(source))


_ARRAY = re.compile(rb"\s*\[\s*[{\]]")


def _is_array(head: bytes) -> bool:
    """Tell a JSON array of records from lines of which the first is damaged: there the second stands alone."""
    head = head.lstrip(b"\xef\xbb\xbf")
    if not _ARRAY.match(head):
        return False
    second = head.partition(b"\n")[2].partition(b"\n")[0].strip()
    return record_on(second) is None


def _scan(source: Source) -> Scan:
    """Read all records; a file of nothing but a sub-agent's is read as a conversation of its own."""
    scan = _taken(source, Scan())
    if scan.sidechains and not scan.turns:
        return _taken(source, Scan(sidechains_are_main=True))
    return scan


def _taken(source: Source, scan: Scan) -> Scan:
    for line in _lines(source):
        scan.take(line)
    scan.finish()
    return scan


def _refuse_unread(scan: Scan, source: Source) -> None:
    broken = scan.log.unreadable and any(problem.code == "unreadable" for problem in scan.log.problems())
    if (scan.log.malformed_messages and not scan.turns) or (broken and not scan.records):
        raise InputError(
            f"{source.name}: nothing in it can be read as Claude Code's records.",
            "Name the file's own format with --format, or look at its first lines.",
        )


def _attach(scan: Scan, agents: list[AgentFile]) -> dict[int, list[int]]:
    if not scan.turns:
        return {}
    return attach_agents(agents, scan.links, [turn.opening.time for turn in scan.turns])


def _side_files(source: Source) -> dict[str, Source]:
    found = source.companions("{stem}/tool-results/*")
    return {name.rsplit("/", 1)[-1]: file for name, file in found.items()}


def _add_side_files(scan: Scan, files: dict[str, Source]) -> list[Problem]:
    """Make each side file part of its turn's fingerprint; report those that are gone."""
    missing = []
    for preview in scan.previews:
        if preview.name in files:
            preview.turn.hasher.update(side_digest(files[preview.name]))
        else:
            message = "The file with a result's full text is not there; its beginning is kept."
            origin = Origin(file="", line=preview.line)
            missing.append(Problem(code="missing-side-file", message=message, origin=origin))
    return missing


def _unknown_parents(scan: Scan) -> list[Problem]:
    lines_of = scan.tree.unknown_parents
    if not lines_of:
        return []
    message = "Records follow a record that is not in the file."
    origin = Origin(file="", line=min(lines_of))
    return [Problem(code="unknown-parent", message=message, origin=origin, count=len(lines_of))]


def _line_of(problem: Problem) -> int:
    return problem.origin.line


def _plans(turns: list[TurnPlan]) -> dict[TurnId, TurnPlan]:
    """Return the turns by id; where ids repeat, later ones get a number."""
    plans: dict[TurnId, TurnPlan] = {}
    for turn in turns:
        name, copy = turn.id, 2
        while name in plans:
            name, copy = TurnId(f"{turn.id}-{copy}"), copy + 1
        plans[name] = turn
    return plans


def _outlines(scan: Scan, plans: dict[TurnId, TurnPlan], stem: str) -> Iterator[Outline]:
    foreign = foreign_sessions(scan.turns, scan.tree, scan.facts.main_session(stem))
    left = left_behind(scan.turns, scan.tree, scan.facts, foreign)
    for (name, plan), session, is_left in zip(plans.items(), foreign, left, strict=True):
        yield Outline(
            id=name,
            start=plan.opening.start,
            time=plan.opening.time,
            prompt_digest=plan.opening.digest,
            fingerprint=plan.fingerprint(),
            prompt_size=plan.opening.size,
            branch=Branch.ABANDONED if is_left else Branch.MAIN,
            foreign=WindowId(scan.facts.sessions[session]) if session else None,
        )


READER = Reader(name="claude-code", title="Claude Code", accepts=accepts, read=single(read))
