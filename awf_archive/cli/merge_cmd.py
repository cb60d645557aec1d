"""`awf-archive merge`: take in what another branch's archive holds (docs/git.md)."""

from collections.abc import Iterator
from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.git_words import GIT_WORDS, GitWords
from awf_archive.errors import NegativeAnswerError
from awf_archive.services.index import sync
from awf_archive.services.merge import Merge, Merging, merge
from awf_archive.services.merge_conflicts import DecisionConflict
from awf_archive.services.merge_feature import FeatureMerge

_SHOWN = 300
"""Characters of a value in a line."""


@click.command()
@click.argument("ref", required=False)
@setup.common
def command(*, ref: str | None, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Take in what the archive of another branch holds and this one lacks; nothing is lost or doubled.

    REF is a branch or commit. In the middle of a git merge it is the side that git waits for, and the archive's
    files are resolved and staged.
    """
    ready = setup.prepare(workspace, lang)
    merging = Merging(
        archive=ready.archive,
        now=setup.now(),
        words=ready.words,
        threshold=ready.settings.chunk_threshold,
    )
    done = merge(merging, ref)
    if done.features:
        sync(ready.archive, output.progress("index"))
    if as_json:
        output.json_object(_json(done))
    else:
        for line in _lines(done, GIT_WORDS[ready.words.language]):
            output.text(line)
    return NegativeAnswerError.exit_code if done.left else 0


def _json(done: Merge) -> dict[str, object]:
    return {
        "commit": done.commit,
        "staged": done.is_staged,
        "features": [_feature_json(one) for one in done.features],
        "conflicts": list(done.left),
        "setAside": list(done.set_aside),
    }


def _feature_json(one: FeatureMerge) -> dict[str, object]:
    sessions = [
        {"session": taken.session, "globalRange": list(taken.numbers), "formerly": list(taken.formerly)}
        for taken in one.taken
    ]
    return {
        "feature": one.feature,
        "sessions": sessions,
        "updatedTurns": one.grown,
        "decisions": one.decisions,
        "chunks": one.chunks,
        "decisionConflicts": [_conflict_json(each) for each in one.conflicts],
    }


def _conflict_json(one: DecisionConflict) -> dict[str, object]:
    changed = [{"field": each.field, "ours": each.ours, "theirs": each.theirs} for each in one.fields]
    return {"decision": one.decision, "changed": changed, "kept": one.kept}


def _lines(done: Merge, words: GitWords) -> list[str]:
    lines = [line for one in done.features for line in _feature_lines(one, words)]
    if not done.features:
        lines.append(words.nothing.format(commit=done.commit[:10]))
    if done.set_aside:
        lines.append("⚠️ " + words.set_aside.format(paths=", ".join(done.set_aside)))
    if done.left:
        lines.append("⚠️ " + words.left.format(paths=", ".join(done.left)))
    elif done.is_staged:
        lines.append(words.staged)
    return lines


def _feature_lines(one: FeatureMerge, words: GitWords) -> list[str]:
    lines = [words.merged.format(feature=one.feature)]
    for taken in one.taken:
        (a, b), (c, d) = taken.numbers, taken.formerly
        lines.append(words.taken.format(session=taken.session, a=a, b=b, c=c, d=d))
    if one.grown:
        lines.append(counted(words.grown, n=one.grown))
    if one.decisions:
        lines.append(counted(words.decisions, n=one.decisions))
    return [*lines, *(line for each in one.conflicts for line in _conflict_lines(each, words))]


def _conflict_lines(one: DecisionConflict, words: GitWords) -> Iterator[str]:
    """Say what both sides changed of a decision, both values, and where theirs is kept."""
    for each in one.fields:
        ours, theirs = (one_line(value, _SHOWN) for value in (each.ours, each.theirs))
        told = words.conflict.format(
            decision=one.decision, field=words.fields[each.field], ours=ours, theirs=theirs
        )
        yield f"  ⚠️ {told}"
    yield "     " + words.kept.format(path=one.kept, decision=one.decision)
