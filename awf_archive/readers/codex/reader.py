"""Codex CLI's rollout files, all generations (docs/formats/codex.md)."""

import re
from collections.abc import Iterator

from awf_archive.domain.ids import TurnId, WindowId
from awf_archive.domain.transcript import Branch, Outline, Transcript
from awf_archive.errors import InputError
from awf_archive.readers.base import Reader, Source
from awf_archive.readers.codex import history as codex_history
from awf_archive.readers.codex.agents import find_agents
from awf_archive.readers.codex.load import TurnLoader
from awf_archive.readers.codex.plan import TurnPlan
from awf_archive.readers.codex.records import is_bare, is_enveloped
from awf_archive.readers.codex.scan import Scan
from awf_archive.readers.codex.source import head_bytes, head_lines, head_records, plain, records_of
from awf_archive.readers.shared.values import JsonObject, text_at, value_at

_LONG_LINE = re.compile(
    rb'\s*\{"timestamp"\s*:\s*"[^"]*"\s*,\s*"type"\s*:\s*"(?:session_meta|response_item|event_msg)"'
    rb'\s*,\s*"payload"\s*:'
)
"""How a first line longer than the head begins."""
_ID_IN_NAME = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-(?:[0-9a-f]{4}-)?[0-9a-f]{12}\Z")


def accepts(source: Source) -> bool:
    """Tell whether the first records are Codex's own, in an envelope or bare."""
    head = head_bytes(source)
    found = head_records(head)
    if not found:
        return any(_LONG_LINE.match(line.data) for line in head_lines(head))
    return any(is_enveloped(record) or is_bare(record) or codex_history.is_prompt(record) for record in found)


def read_all(source: Source) -> Iterator[Transcript]:
    """Read a file's one conversation, or the prompts of many from `history.jsonl`.

    Raises InputError as `read` does.
    """
    if any(map(codex_history.is_prompt, head_records(head_bytes(source)))):
        yield from codex_history.read(source, READER.name)
    else:
        yield read(source)


def read(source: Source) -> Transcript:
    """Read a conversation: outlines now, each turn's text when it is asked for.

    Raises InputError when the file holds messages of which none can be read, or damaged zstd data.
    """
    source = plain(source)
    scan = Scan()
    for line in records_of(source):
        scan.take(line)
    _refuse_unread(scan, source)
    windows = _windows(scan, source.stem)
    agents = find_agents(source, scan.turns)
    plans = _plans(scan, windows[0])
    loader = TurnLoader(source=source, plans=plans, agents=agents)
    return Transcript(
        format=READER.name,
        windows=windows,
        outlines=tuple(_outlines(plans, text_at(scan.facts.meta, "timestamp"))),
        load=loader.load,
        problems=scan.log.problems(),
        title=scan.facts.title,
        cwd=scan.facts.cwd,
        git_branch=text_at(scan.facts.meta, "git", "branch"),
        tool_version=text_at(scan.facts.meta, "cli_version"),
        records=scan.records,
        unreadable=scan.log.unreadable,
        duplicates=scan.duplicates,
        agent_of=_agent_of(scan.facts.meta),
    )


def _agent_of(meta: JsonObject) -> str:
    """Return the thread that a sub-agent's file belongs to; "" for a conversation of its own."""
    if not isinstance(value_at(meta, "source", "subagent"), dict | str):
        return ""
    spawned = text_at(meta, "source", "subagent", "thread_spawn", "parent_thread_id")
    return spawned or text_at(meta, "parent_thread_id") or text_at(meta, "session_id")


def _refuse_unread(scan: Scan, source: Source) -> None:
    if scan.turns:
        return
    if scan.unknown:
        raise InputError(
            f"{source.name}: Codex's format, but not understood ({scan.unknown} records of unknown kinds).",
            "A newer Codex wrote it. Update awf-archive; the file itself is unharmed.",
        )
    broken = any(problem.code == "unreadable" for problem in scan.log.problems())
    if scan.log.malformed_messages or (broken and not scan.records):
        raise InputError(
            f"{source.name}: nothing in it can be read as Codex's records.",
            "Name the file's own format with --format, or look at its first lines.",
        )


def _windows(scan: Scan, stem: str) -> tuple[WindowId, ...]:
    """Return the conversation's id, then the one it was forked from."""
    own = text_at(scan.facts.meta, "id")
    named = _ID_IN_NAME.search(stem)
    is_damaged = any(problem.origin.line < scan.facts.meta_line for problem in scan.log.problems())
    if not own or (is_damaged and named):
        own = named[0] if named else stem
    others = {
        text_at(scan.facts.meta, key) for key in ("forked_from_id", "parent_thread_id", "session_id", "id")
    }
    return (WindowId(own), *(WindowId(other) for other in sorted(others - {own, ""})))


def _plans(scan: Scan, window: WindowId) -> dict[TurnId, TurnPlan]:
    """Return the turns by id: the source's, else one that no later record changes."""
    plans: dict[TurnId, TurnPlan] = {}
    for number, turn in enumerate(scan.turns, 1):
        base = turn.name or f"{window}-{turn.time or number}"
        name, copy = TurnId(base), 2
        while name in plans:
            name, copy = TurnId(f"{base}-{copy}"), copy + 1
        plans[name] = turn
    return plans


def _outlines(plans: dict[TurnId, TurnPlan], begun: str) -> Iterator[Outline]:
    for name, plan in plans.items():
        yield Outline(
            id=name,
            start=plan.start,
            time=plan.time or begun,
            prompt_digest=plan.digest,
            fingerprint=plan.fingerprint(),
            prompt_size=plan.prompt_size,
            branch=Branch.ABANDONED if plan.is_abandoned else Branch.MAIN,
        )


READER = Reader(name="codex", title="Codex CLI", accepts=accepts, read=read_all)
