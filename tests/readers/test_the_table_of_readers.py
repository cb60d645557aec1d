"""The table of formats: quick to load, and true to the modules that it names."""

import subprocess
import sys
from pathlib import Path

import pytest

from awf_archive.errors import UsageError
from awf_archive.readers import READERS, identify

DOCS = Path(__file__).resolve().parents[2] / "docs/formats"


@pytest.mark.parametrize("row", READERS, ids=lambda row: row.name)
def test_a_row_says_what_its_module_says(row):
    reader = row.load()

    assert (reader.name, reader.title) == (row.name, row.title)


@pytest.mark.parametrize("row", READERS, ids=lambda row: row.name)
def test_a_format_has_a_page_of_its_own(row):
    pages = [page for page in DOCS.glob("*.md") if f"`{row.name}`" in page.read_text(encoding="utf-8")]

    assert pages


def test_the_table_loads_no_reader():
    code = "import sys, awf_archive.readers; print([m for m in sys.modules if 'readers.' in m])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "['awf_archive.readers.base']"


def test_an_unknown_name_names_the_known_ones():
    with pytest.raises(UsageError, match="no such format") as caught:
        identify(None, "word-perfect")

    assert "claude-code" in caught.value.hint
