"""An index in a folder of its own, and short ways to fill and ask it."""

import pytest
from small_archives import search, sync

from awf_archive.search.whoosh_index import WhooshIndex


@pytest.fixture
def index(tmp_path):
    made = WhooshIndex(tmp_path / "index", lock_timeout=0.2)
    yield made
    made.close()


@pytest.fixture
def fill(index):
    return lambda archive: sync(index, archive)


@pytest.fixture
def ask(index):
    return lambda topic, **options: search(index, topic, **options)
