"""One thing, two things: the command line's numbers bring the form of their noun, and every text that has forms is counted."""

import re
from pathlib import Path

import pytest

import awf_archive
from awf_archive.domain.wording import WORDINGS
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.decision_words import DECISION_WORDS
from awf_archive.domain.wording.trust_words import TRUST_WORDS

ROOT = Path(awf_archive.__file__).parent
FORMS = re.compile(r"\b(?P<name>\w+)=\(?\s*(?:\"[^\"]*\"\s*)*?\"[^\"]*\{\w+:[^{}|]+\|[^{}|]+\}")


@pytest.mark.parametrize(
    ("template", "one", "two"),
    [
        (TRUST_WORDS["en"].repaired, "1 thing mended.", "2 things mended."),
        (TRUST_WORDS["en"].left, "1 thing is left:", "2 things are left:"),
        (DECISION_WORDS["en"].to_review, "1 new one waits", "2 new ones wait"),
        (TRUST_WORDS["vi"].repaired, "", ""),
    ],
)
def test_a_number_brings_the_form_of_its_noun(template, one, two):
    assert counted(template, n=1).startswith(one)
    assert counted(template, n=2).startswith(two)


def test_texts_and_truths_stay_as_they_are():
    assert counted("{path} {ok}", path="a|b", ok=True) == "a|b True"


def test_no_text_with_forms_is_formatted_without_counting():
    """`"{n:turn|turns}".format(n=1)` would be an error where a person stands before it."""
    words = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "domain/wording").glob("*.py"))
    names = {match["name"] for match in FORMS.finditer(words)}
    code = [path for path in ROOT.rglob("*.py") if path.parent.name != "wording"]

    wrong = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in code
        for match in re.finditer(r"\bwords\.(\w+)\.format\(n=", path.read_text(encoding="utf-8"))
        if match[1] in names
    ]

    assert {"repaired", "archived", "totals"} <= names
    assert wrong == []


def test_the_other_languages_name_the_same_values():
    values = {language: set(re.findall(r"\{(\w+)", one.result.totals)) for language, one in WORDINGS.items()}

    assert values["en"] == values["vi"] == values["zh"]
