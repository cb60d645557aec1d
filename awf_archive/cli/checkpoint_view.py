"""What a checkpoint's result looks like: the seed's table for people, one object for programs (SPEC 1.9, 9)."""

from collections.abc import Sequence
from pathlib import Path

from awf_archive.domain.wording import Wording
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.damage_words import DAMAGE_WORDS
from awf_archive.domain.wording.secret_words import SECRET_WORDS, kinds_text
from awf_archive.errors import ArchiveError
from awf_archive.services.checkpoint import Checkpoint


def table(done: Checkpoint, words: Wording) -> str:
    """Return the result for a person."""
    result = words.result
    if done.is_empty:
        return "\n".join([result.empty.format(path=done.path), *_warnings(done, words)])
    if not done.saved and not done.updated:
        return "\n".join([result.nothing_new, *_skipped(done, words), *_warnings(done, words)])
    rows = [(name, value) for name, value in _rows(done, words) if value]
    lines = [
        result.dry_run if done.is_dry else result.headline,
        "",
        "| {} | {} |".format(*result.columns),
        "|------|-----|",
        *(f"| {name} | {value} |" for name, value in rows),
        "",
        *_warnings(done, words),
        *([] if done.is_dry else [result.advice]),
        f"ℹ️ {result.feature} {done.feature}: {result.chosen_by[done.rule]}",
    ]
    return "\n".join(lines)


def _rows(done: Checkpoint, words: Wording) -> list[tuple[str, str]]:
    """Return the seed's rows; updated and skipped turns stand only where there are any."""
    result = words.result
    chunk = done.chunk
    summary = "—"
    if chunk:
        summary = result.summary_value.format(
            chunk=chunk.chunk_id, a=chunk.turn_range[0], b=chunk.turn_range[1]
        )
    numbers = result.numbers_value.format(a=done.numbers[0], b=done.numbers[1]) if done.numbers else "—"
    return [
        (result.feature, done.feature),
        (result.session, done.session or "—"),
        (result.saved, result.saved_value.format(n=done.saved)),
        (result.updated, result.saved_value.format(n=done.updated) if done.updated else ""),
        (result.skipped, result.saved_value.format(n=len(done.skipped)) if done.skipped else ""),
        (result.numbers, numbers),
        (result.summary, summary),
    ]


def _skipped(done: Checkpoint, words: Wording) -> list[str]:
    result = words.result
    return [f"{result.skipped}: {result.saved_value.format(n=len(done.skipped))}"] if done.skipped else []


def _warnings(done: Checkpoint, words: Wording) -> list[str]:
    result = words.result
    lines = [result.recovered.format(session=session) for session in done.adopted]
    if done.set_aside:
        lines.append(result.set_aside.format(path=done.set_aside))
    lines += warnings(done, words.language)
    if done.unreadable:
        lines.append(result.problems.format(n=done.unreadable, records=done.records + done.unreadable))
    lines += [f"{done.path.name}:{one.origin.line}: {one.message}" for one in done.problems[:_SHOWN]]
    if len(done.problems) > _SHOWN:
        lines.append(f"… {len(done.problems) - _SHOWN}")
    if done.secrets:
        said = SECRET_WORDS[words.language]
        text = said.saved_masked if done.are_masked else said.saved
        lines.append(counted(text, n=sum(done.secrets.values()), kinds=kinds_text(done.secrets)))
    return [f"⚠️ {line}" for line in lines]


def warnings(done: Checkpoint, language: str) -> list[str]:
    """Return what is wrong in the archive beside the turns, which are saved, and what to do about it."""
    words = DAMAGE_WORDS[language]
    told = [words.unread.format(path=path) for path in done.unread]
    if done.postponed:
        first, last = done.postponed
        told.append(words.postponed.format(a=first, b=last))
    return told


_SHOWN = 5
"""Problems printed one by one; all of them are in metadata.json and in --json."""


def as_json(done: Checkpoint, language: str) -> dict[str, object]:
    """Return the object of SPEC 9."""
    chunk = done.chunk
    return {
        "feature": done.feature,
        "featureRule": done.rule.value,
        "session": done.session,
        "window": done.window,
        "savedTurns": done.saved,
        "updatedTurns": done.updated,
        "globalRange": list(done.numbers) if done.numbers else None,
        "chunk": {"id": chunk.chunk_id, "range": list(chunk.turn_range)} if chunk else None,
        "skippedTurns": [one.to_json() for one in done.skipped],
        "continues": done.continues,
        "problems": [
            {
                "line": one.origin.line,
                "message": one.message,
                "code": one.code,
                "file": one.origin.file,
                "count": one.count,
            }
            for one in done.problems
        ],
        "title": done.title,
        "records": done.records,
        "unreadable": done.unreadable,
        "empty": done.is_empty,
        "dryRun": done.is_dry,
        "recovered": list(done.adopted),
        "setAside": done.set_aside or None,
        "secrets": dict(done.secrets),
        "redacted": done.are_masked,
        "warnings": warnings(done, language),
    }


def totals_json(
    done: Sequence[Checkpoint], failures: Sequence[tuple[Path, ArchiveError]], language: str
) -> dict[str, object]:
    """Return the object of `--all`."""
    return {
        "results": [as_json(one, language) | {"path": str(one.path)} for one in done],
        "totals": _totals(done, failures),
        "failures": [failed_json(path, problem) for path, problem in failures],
    }


def failed_json(path: Path, problem: ArchiveError) -> dict[str, str]:
    """Return what a program is told of a file that could not be saved."""
    return {"path": str(path), "message": problem.message}


def _totals(done: Sequence[Checkpoint], failures: Sequence[object]) -> dict[str, int]:
    new = sum(bool(one.saved or one.updated) for one in done)
    empty = sum(one.is_empty for one in done)
    return {
        "files": len(done) + len(failures),
        "new": new,
        "unchanged": len(done) - new - empty,
        "empty": empty,
        "failed": len(failures),
        "turns": sum(one.saved for one in done),
    }


def totals_line(done: Sequence[Checkpoint], failures: Sequence[object], words: Wording) -> str:
    """Return the last line of `--all`."""
    return counted(words.result.totals, **_totals(done, failures))
