"""All files of ../shared/corpus in one workspace: every prompt in exactly one turn, every word there (issue 3).

That a reader misses nothing of a file is what the readers' own tests show; here nothing is lost on the way from
the readers into the archive, and the number of turns stands beside what MANIFEST counts as typed.
"""

import csv
from collections import Counter

import pytest

from awf_archive.domain.filters import skip_reason
from awf_archive.domain.turn_markdown import side_bytes
from awf_archive.domain.wording import choose
from awf_archive.readers import identify
from awf_archive.services.places import in_path
from awf_archive.services.sources import opened

pytestmark = pytest.mark.shared

NO_CONVERSATIONS = {"awf", "spec-context"}
"""Work states, and an archive of the original skill, which tests of that format count."""
DIFFERENT = {
    "ai-log/01-claude-hooks-vi.jsonl": (18, 13, "5 are what the assistant asked its agents"),
    "aider/01-huge-multi-session.md": (1559, 1444, "338 commands without an answer, 66 turns nobody typed"),
    "aider/02-afi-core.md": (49, 47, "two commands without an answer are notes"),
    "aider/05-zen-mcp.md": (8, 7, "a command without an answer, alone in its run"),
    "claude-code/05-v1.0.98-tools-slash.jsonl": (0, 1, "/init was answered"),
    "claude-code/06-v1.0.108-inline-sidechain.jsonl": (0, 1, "/orchestrator was answered"),
    "claude-code/08-v2.0.28-agent-file.jsonl": (0, 1, "a sub-agent's own file, under a name of its own"),
    "claude-code/09-v1.0.120-vscode.jsonl": (1, 2, "/init was answered"),
    "claude-code/14-v2.1.37-44-compact.jsonl": (3, 4, "/compact printed something"),
    "claude-code/27-v2.1.14-2-compactions.jsonl": (29, 34, "three absorbed prompts, two /compact"),
    "claude-code/28-v2.1.29-image.jsonl": (17, 22, "three commands, a prompt beside a result, one absorbed"),
    "claude-code/30-v2.1.5-bye.jsonl": (2, 3, "/exit printed Bye!"),
    "claude-code/34-v2.1.121-27prompts.jsonl": (23, 24, "one queued prompt, known from its attachment"),
    "claude-code/38-v2.1.170.jsonl": (9, 11, "two queued prompts, known from attachments"),
    "claude-code/42-v2.1.232-korean-2compact.jsonl": (
        7,
        16,
        "/lore-commit, eight ! commands; two bare /compact",
    ),
    "claude-code/45-v2.1.191-hook-array.json": (18, 24, "six queued prompts, known from attachments"),
    "copilot-chat/03-chatreplay.json": (3, 1, "the second and third request to the model repeat the prompt"),
    "cursor/09-transcript-fixture.json": (0, 1, "MANIFEST did not look into the session"),
    "specstory/01-2026-01-16-16-46-41z.md": (3, 1, "a command, its output and a caveat are one turn"),
    "specstory/06-2026-02-10-21-49-42z-command-message-insights-co.md": (2, 1, "a command and its expansion"),
    "specstory/07-2026-03-18-10-13-59z-yes.md": (3, 2, "a command and its expansion are one turn"),
    "specstory/09-2026-07-27-15-48-50z-we-added-an-antigravity.md": (
        4,
        2,
        "a command, its output and a caveat",
    ),
    "specstory/12-root-v2.md": (11, 9, "a command, its output and a caveat are one turn"),
}
"""What MANIFEST counts as typed, the turns, and why they differ."""


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch):
    monkeypatch.setattr("os.fsync", lambda _descriptor: None)


HUGE = "01-huge-multi-session.md"
"""661 conversations that together take as long as all the others: imported by `make soak`."""


def candidates(corpus):
    """Return every file that may be a transcript, as an import of the corpus finds them."""
    found = [one for folder in sorted(corpus.iterdir()) if folder.is_dir() for one in in_path(folder)]
    return [one for one in found if one.path.relative_to(corpus).parts[0] not in NO_CONVERSATIONS]


def conversations(candidates):
    for candidate in candidates:
        with opened(candidate.path) as source:
            for transcript in identify(source, candidate.format).read(source):
                yield candidate.path, transcript


def test_turns_beside_typed_prompts_differ_only_for_a_reason(shared):
    corpus = shared / "corpus"
    with (corpus / "MANIFEST.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    typed = {row["file"]: int(row["turns"]) for row in rows if row["format"] not in NO_CONVERSATIONS}
    turns = Counter()
    for path, transcript in conversations(candidates(corpus)):
        turns[path.relative_to(corpus).as_posix()] += len(transcript.outlines)

    companions = {name for name in typed if "/subagents/" in name}
    assert set(turns) == set(typed) - companions
    assert {name: (typed[name], count) for name, count in turns.items() if typed[name] != count} == {
        name: (expected, count) for name, (expected, count, _) in DIFFERENT.items()
    }


@pytest.mark.parametrize(
    ("is_wanted", "least"),
    [
        pytest.param(lambda path: path.name != HUGE, 500, id="all but the huge one"),
        pytest.param(lambda path: path.name == HUGE, 1400, id="the huge one", marks=pytest.mark.soak),
    ],
)
def test_every_prompt_is_in_exactly_one_turn_and_every_word_is_there(
    awf, shared, workspace, is_wanted, least
):
    wanted = [one for one in candidates(shared / "corpus") if is_wanted(one.path)]

    answer = awf("import", *(one.path for one in wanted), "--json")

    totals = answer.json["totals"]
    assert (answer.code, totals["failed"], totals["ignored"]) == (0, 0, 0), answer.json["failures"]
    saved = {}
    for feature in workspace.archive.features():
        for entry, session in workspace.archive.sessions(feature):
            for turn in session.turns:
                saved.setdefault((session.source.window, turn.source_id), []).append((feature, entry, turn))
    assert [key for key, places in saved.items() if len(places) > 1] == []
    longest, missing, words = {}, [], choose("en")
    for path, transcript in conversations(wanted):
        for turn in transcript.turns():
            key = (transcript.windows[0], turn.outline.id)
            if key in saved:
                longest[key] = max(
                    longest.get(key, turn), turn, key=lambda one: len(side_bytes(one.assistant, words))
                )
            elif not skip_reason(turn):
                missing.append((path.name, turn.outline.id))
    assert missing == []
    assert set(longest) == set(saved)
    for key, turn in longest.items():
        ((feature, entry, place),) = saved[key]
        file = workspace.archive.turn(feature, entry.session_id, place)
        assert side_bytes(file.user_blocks, words) == side_bytes(turn.user, words), key
        assert side_bytes(file.assistant_blocks, words) == side_bytes(turn.assistant, words), key
    assert len(longest) > least
