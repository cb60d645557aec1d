"""A node dies while turns are pushed and searched: nothing is lost, and an answer is complete or says that it is not."""

import contextlib
import threading
from contextlib import closing

from small_archives import digests, said

from awf_archive.errors import ClusterError
from awf_archive.search.documents import Key, Request
from awf_archive.search.opensearch.client import Access, connect
from awf_archive.search.opensearch.feed import Feed
from awf_archive.search.opensearch.index import Home, OpenSearchIndex
from awf_archive.search.opensearch.places import Places

UNITS, TURNS = 50, 100
HOME = Home("team-kill", "kill", 3)
ARCHIVE = {
    Key("demo", f"session-{unit:03}"): [
        said(
            unit * TURNS + turn,
            f"word and question number{turn} of unit{unit}",
            "the answer is " + " ".join(f"w{(turn * step) % 997}" for step in range(1, 20)),
            session=f"session-{unit:03}",
            time="2026-03-02T10:00:00Z",
        )
        for turn in range(TURNS)
    ]
    for unit in range(UNITS)
}


class Pusher(threading.Thread):
    """A machine that pushes the archive."""

    def __init__(self, cluster, path):
        super().__init__()
        self.cluster, self.path = cluster, path
        self.done = self.problem = None

    def run(self):
        client = connect(Access(self.cluster.hosts, timeout=30.0))
        with closing(Feed(self.path)) as feed:
            index = OpenSearchIndex(client, HOME, feed, patience=120.0)
            try:
                self.done = index.sync(digests(ARCHIVE), ARCHIVE.__getitem__)
            except ClusterError as problem:
                self.problem = problem


def test_one_of_three_nodes_is_killed_during_pushes_and_queries(cluster, client, tmp_path):
    pusher = Pusher(cluster, tmp_path / "feed.sqlite")
    asker = OpenSearchIndex(client, HOME, Feed(None), timeout=20.0)
    Places(client, HOME.alias, HOME.shards).ready("2026-03-02T10:00:00Z")
    cluster.wait_green()  # each shard has its copy: from here on no death of one node loses what was acknowledged
    pusher.start()
    while (seen := asker.search(Request(topic="word")).total) < 1 and pusher.is_alive():
        client.indices.refresh(index="team-kill-*", params={"allow_no_indices": "true"})

    cluster.kill(1)
    answers = []
    while pusher.is_alive():
        with contextlib.suppress(ClusterError):  # then it is said to be away: no wrong answer either
            answers.append(asker.answer(Request(topic="word")))
        pusher.join(0.3)
    cluster.start(1)

    assert pusher.problem is None
    assert pusher.done.documents == UNITS * TURNS
    assert answers
    assert all(answer.result.total >= seen or answer.is_partial for answer in answers)
    asker.refresh()
    whole = asker.answer(Request(topic="word"))
    assert (whole.result.total, whole.is_partial) == (UNITS * TURNS, False)
    with closing(Feed(tmp_path / "feed.sqlite")) as feed:
        assert OpenSearchIndex(client, HOME, feed).verify() == ()
