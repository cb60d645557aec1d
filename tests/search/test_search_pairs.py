"""What is found by what: tables of queries and documents."""

from pathlib import Path

import pytest

from awf_archive.search.documents import Document, Key, Kind, Note, Request
from awf_archive.search.whoosh_index import WhooshIndex

OWN = Path(__file__).with_name("pairs.tsv")
SHARED = Path(__file__).parents[3] / "shared" / "cases" / "search-pairs.tsv"


def rows(path: Path) -> list[tuple[str, ...]]:
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")
    return [tuple(line.replace("\\x1b", "\x1b").split("\t")) for line in lines[1:] if line]


def finds(folder: Path, query: str, text: str) -> bool:
    """Whether every word is there as typed: an answer that needed a note does not count."""
    index = WhooshIndex(folder)
    document = Document(kind=Kind.TURN, feature="demo", turn=1, user=text)
    index.sync({Key("demo", "session-001"): "1"}, lambda _: [document])
    result = index.search(Request(topic=query))
    index.close()
    return result.total == 1 and result.note in (Note.NONE, Note.FILTERS_AS_TEXT)


@pytest.mark.parametrize(("query", "text", "wanted", "why"), rows(OWN), ids=lambda value: value[:24])
def test_a_query_finds_what_a_person_means(tmp_path, query, text, wanted, why):
    assert finds(tmp_path / "index", query, text) is (wanted == "yes"), why


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="../shared is not here")
@pytest.mark.parametrize(("query", "text", "wanted", "why"), rows(SHARED), ids=lambda value: value[:24])
def test_a_shared_pair_holds(tmp_path, query, text, wanted, why):
    assert finds(tmp_path / "index", query, text) is (wanted == "yes"), why
