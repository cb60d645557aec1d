import unicodedata
from hashlib import sha256
from pathlib import Path

import pytest

from awf_archive.domain import triggers
from awf_archive.domain.transcript import prompt_text
from awf_archive.domain.triggers import is_deciding, is_leaving
from awf_archive.errors import ArchiveError
from awf_archive.readers import identify
from awf_archive.services.sources import opened

HERE = Path(__file__).parent
JUDGES = {"user_leaving": is_leaving, "decision_made": is_deciding}
SETS = sorted(HERE.glob("*_*.*.tsv"))


def sentences(path):
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line)
    return [(text, sign == "+") for sign, text in rows]


def without_marks(text):
    parts = unicodedata.normalize("NFD", text.replace("đ", "d").replace("Đ", "D"))
    return "".join(mark for mark in parts if not unicodedata.combining(mark))


SPELLINGS = {
    "as written": lambda text: text,
    "without marks": without_marks,
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "upper case": str.upper,
}


def cases():
    return list(_cases())


def _cases():
    for path in SETS:
        trigger, language = path.name.split(".")[:2]
        for spelling in SPELLINGS if language == "vi" else ("as written", "upper case"):
            yield pytest.param(trigger, path, spelling, id=f"{trigger}-{language}-{spelling}")


@pytest.mark.parametrize(("trigger", "path", "spelling"), cases())
def test_spec_3_1_precision_and_recall(trigger, path, spelling):
    judge, spell = JUDGES[trigger], SPELLINGS[spelling]
    judged = [(text, truth, judge(spell(text))) for text, truth in sentences(path)]

    right = sum(truth and fired for _, truth, fired in judged)
    false = [text for text, truth, fired in judged if fired and not truth]
    missed = [text for text, truth, fired in judged if truth and not fired]
    precision, recall = right / (right + len(false)), right / (right + len(missed))

    assert sum(truth for _, truth, _ in judged) >= 30
    assert sum(not truth for _, truth, _ in judged) >= 30
    assert precision >= 0.95, false
    assert recall >= 0.9, missed


@pytest.mark.shared
def test_spec_3_1_real_prompts_fire_only_what_a_person_judged(shared):
    """Every hit in the corpus was read and judged; the file holds digests, because the corpus is not ours to copy."""
    judged = dict(
        line.split("\t")[1::-1] for line in (HERE / "corpus.judged").read_text().splitlines() if line
    )
    hits = [
        f"{trigger}:{sha256(text.encode(errors='replace')).hexdigest()[:16]}"
        for text in corpus_prompts(shared)
        for trigger, judge in JUDGES.items()
        if judge(text)
    ]

    assert [hit for hit in hits if hit not in judged] == []
    assert sum(judged[hit] == "+" for hit in hits) >= 0.95 * len(hits)
    assert len(hits) > 30


def corpus_prompts(shared):
    """Every prompt of the conversations that a reader knows."""
    for path in sorted((shared / "corpus").rglob("*.*")):
        if path.parent.parent.name == "awf" or path.suffix not in {".jsonl", ".json", ".md"}:
            continue
        try:
            with opened(path) as source:
                for transcript in identify(source).read(source):
                    for outline in transcript.outlines:
                        yield prompt_text(transcript.load(outline).user)
        except ArchiveError:
            continue


KINDS = {
    "leaving": "user_leaving",
    "leaving_open": "user_leaving",
    "deciding": "decision_made",
    "deciding_open": "decision_made",
    "agreeing": "decision_made",
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("speech", triggers._SPEECHES, ids=lambda one: one._patterns.language)
def test_spec_3_1_every_pattern_has_a_sentence_that_it_fires_on(kind, speech):
    texts = [
        text for path in SETS if path.name.startswith(KINDS[kind]) for text, truth in sentences(path) if truth
    ]
    clauses = [clause for text in texts for one in triggers._sentences(text) for clause in one.clauses]
    compiled = speech._beginning if kind.endswith("open") else speech._whole

    idle = [
        phrase
        for phrase in getattr(speech._patterns, kind)
        if not any(map(compiled((phrase,)).fullmatch, clauses))
    ]

    assert idle == []
