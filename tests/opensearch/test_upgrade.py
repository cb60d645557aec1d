"""The index changes its form while it is searched and fed: no answer lacks anything, nothing sent meanwhile is lost."""

import threading

from small_archives import digests, said

from awf_archive.errors import ClusterError
from awf_archive.search.documents import Key, Request
from awf_archive.search.opensearch import ask
from awf_archive.search.opensearch.feed import Feed
from awf_archive.search.opensearch.index import Home, OpenSearchIndex
from awf_archive.search.opensearch.places import Places
from awf_archive.search.opensearch.upgrade import upgrade

OLD, NEW = 1, 2


def archive(first, last):
    return {
        Key("demo", f"session-{turn:03}"): [
            said(turn, "a word", session=f"session-{turn:03}", time="2026-03-02T10:00:00Z")
        ]
        for turn in range(first, last)
    }


def index_of(client, name, version, alias="team-form"):
    return OpenSearchIndex(client, Home(alias, name, version=version), Feed(None), timeout=30.0)


def send(index, turns):
    index.sync(digests(turns), turns.__getitem__)
    index.refresh()


def test_the_index_is_searched_and_fed_while_it_changes(client):
    old, new = index_of(client, "shop", OLD), index_of(client, "bank", NEW)
    send(old, archive(0, 40))
    is_done = threading.Event()
    seen = []

    def asking():
        while not is_done.wait(0.1):
            seen.append(old.search(Request(topic="word")).total)

    asker = threading.Thread(target=asking)
    asker.start()
    try:
        send(new, archive(100, 110))  # a program of the new version, before anyone upgraded the index
        before = (new.is_live, old.search(Request(topic="word")).total)
        send(old, archive(0, 50))  # and one of the old version, meanwhile
        done = upgrade(Places(client, "team-form", 1, NEW))
    finally:
        is_done.set()
        asker.join()

    assert before == (False, 40 + 0)
    assert min(seen) == 40
    assert (done.version.split(".")[0], len(done.old)) == ("v2", 1)
    new.refresh()
    assert new.search(Request(topic="word", limit=100)).total == 60
    send(new, archive(100, 120))
    assert new.is_live
    assert new.search(Request(topic="word")).total == 70
    again = upgrade(Places(client, "team-form", 1, NEW), drop_old=True)
    assert (again.documents, again.is_dropped) == (0, True)
    assert new.search(Request(topic="word")).total == 70


def test_two_machines_push_the_same_archive_at_once(client):
    turns = archive(0, 60)
    home = Home("team-two", "shop")
    problems = []

    def push():
        try:
            OpenSearchIndex(client, home, Feed(None)).sync(digests(turns), turns.__getitem__)
        except ClusterError as problem:
            problems.append(problem)

    machines = [threading.Thread(target=push) for _ in range(2)]
    for machine in machines:
        machine.start()
    for machine in machines:
        machine.join()

    assert problems == []
    asker = OpenSearchIndex(client, home, Feed(None), timeout=30.0)
    asker.refresh()
    result = asker.search(Request(topic="word", limit=100))
    assert sorted(hit.turn for hit in result.hits) == list(range(60))


def test_answers_beyond_what_a_cluster_numbers_follow_each_other(client, monkeypatch):
    monkeypatch.setattr(ask, "_PAGE", 10)
    turns = archive(0, 35)
    index = index_of(client, "shop", OLD, "team-pages")
    send(index, turns)

    pages = [index.answer(Request(topic="word", limit=5, offset=offset)) for offset in range(0, 40, 5)]

    assert sorted(hit.hit.turn for page in pages for hit in page.hits) == list(range(35))
    assert pages[0].is_at_least
