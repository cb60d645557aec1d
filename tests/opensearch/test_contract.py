"""What holds of the index of a workspace holds of a team's: the same tests, on a real cluster."""

import pytest
from small_archives import said
from test_search_filters_and_ranking import *  # noqa: F403 - every test there, with our fixtures
from test_search_pairs import OWN, SHARED, rows

from awf_archive.search.analysis import tokens
from awf_archive.search.documents import Key, Note, Request
from awf_archive.search.opensearch.feed import Feed
from awf_archive.search.opensearch.index import Home, OpenSearchIndex

PAIRS = list({row[:2]: row for row in (*rows(SHARED), *rows(OWN))}.values())
"""Both tables, what stands in both once."""


@pytest.fixture(scope="module")
def pairs(client):
    """Every text of the tables, each in a feature of its own."""
    index = OpenSearchIndex(client, Home("team-pairs", "pairs"), Feed(None), timeout=30.0)
    texts = {Key(f"pair-{at}", "session-001"): text for at, (_, text, _, _) in enumerate(PAIRS)}
    index.sync(
        dict.fromkeys(texts, "1"), lambda key: [said(1, texts[key], feature=key.feature, session=key.unit)]
    )
    index.refresh()
    return index


@pytest.mark.parametrize("at", range(len(PAIRS)), ids=lambda at: PAIRS[at][0][:24])
def test_a_query_finds_what_it_finds_in_a_workspace(pairs, at):
    query, _, wanted, why = PAIRS[at]

    has_words = any(tokens(query))  # without any, a feature alone would list what it has
    result = pairs.search(Request(topic=query, feature=f"pair-{at}" if has_words else ""))

    is_found = result.total == 1 and result.note in (Note.NONE, Note.FILTERS_AS_TEXT)
    assert is_found is (wanted == "yes"), why
