"""One cluster for a whole run, and indices of their own for those who ask."""

import pytest
from cluster import Cluster, why_not
from small_archives import search, sync

from awf_archive.search.opensearch.client import Access, connect
from awf_archive.search.opensearch.feed import Feed
from awf_archive.search.opensearch.index import Home, OpenSearchIndex


@pytest.fixture(scope="session")
def cluster():
    """Three running nodes."""
    if reason := why_not():
        pytest.skip(f"OpenSearch cannot be tested here: {reason}")
    started = Cluster()
    try:
        yield started.start()
    finally:
        started.stop()


@pytest.fixture(scope="session")
def client(cluster):
    return connect(Access(cluster.hosts, timeout=30.0))


@pytest.fixture
def home(request):
    """A home that no other test has."""
    return Home("team", request.node.name)


@pytest.fixture
def index(client, home):
    """The part of one test in an index that all share; it is searched alone."""
    made = OpenSearchIndex(client, home, Feed(None), timeout=30.0)
    made.archives = (home.archive,)
    return made


@pytest.fixture
def fill(index):
    def filled(archive):
        done = sync(index, archive)
        index.refresh()
        return done

    return filled


@pytest.fixture
def ask(index):
    return lambda topic, **options: search(index, topic, **options)
