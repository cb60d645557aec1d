"""Small sessions, each with what it must read as: one folder per case."""

import json
from pathlib import Path

import pytest
from shown import show
from sources import PathSource

from awf_archive.readers.claude_code import reader as claude_code

CASES = sorted(Path(__file__).with_name("claude_code").iterdir())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_reads_as_expected(case):
    expected = json.loads((case / "expected.json").read_bytes())

    transcript = claude_code.read(PathSource(next(case.glob("input.json*"))))

    assert json.loads(json.dumps(show(transcript))) == expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_case_is_recognised(case):
    assert claude_code.accepts(PathSource(next(case.glob("input.json*"))))
