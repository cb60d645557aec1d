"""Real conversations of every format: imported, and every turn proven from the vault's bytes (SPEC 1.11)."""

from pathlib import Path

import pytest

from awf_archive.services.checkpoint import Request
from awf_archive.services.import_history import Outcome, Plan, import_history
from awf_archive.services.places import Candidate

FEW = ("chatgpt-export", "claude-ai-export", "cursor", "gemini-cli", "copilot-chat", "ai-log")


def _import(safe, paths):
    done = []
    layout = safe.workspace.layout
    request = Request(transcript=Path(), now="2026-03-05T10:00:00Z", vaults=safe.vaults, threshold=5)
    candidates = [Candidate(path=path, is_named=False) for path in paths]
    import_history(Plan(layout=layout, request=request, into=layout), candidates, done.append)
    return [one for one in done if one.outcome is Outcome.NEW], [
        one for one in done if one.outcome is Outcome.FAILED
    ]


def _prove(safe, paths, figures):
    saved, failed = _import(safe, paths)

    report = safe.report()
    assert report.findings == []
    assert failed == []
    assert report.proven.turns == report.proven.from_vault > 0
    proven = report.proven
    figures(
        f"{len(saved)} conversations: {proven.from_vault} turns proven from {proven.bytes} bytes, {proven.lines} lines"
    )
    _import(safe, paths)
    again = safe.report()
    assert (again.findings, again.proven) == ([], report.proven)


def _files(folders):
    return sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())


def test_conversations_of_several_tools_are_proven_turn_by_turn(safe, shared, figures):
    _prove(safe, _files(shared / "corpus" / name for name in FEW), figures)


@pytest.mark.soak
def test_the_whole_corpus_is_proven_turn_by_turn(safe, shared, figures):
    _prove(safe, _files([shared / "corpus"]), figures)
