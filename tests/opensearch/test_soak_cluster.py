"""Hours of a company in minutes: 100 000 turns, deaths of nodes, an outage, a change of form. Prints what it measured."""

import json
import os
import random
import statistics
import threading
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cluster import HEAP, Cluster, why_not
from small_archives import said

from awf_archive.errors import ClusterError
from awf_archive.search.documents import Key, Request
from awf_archive.search.opensearch.client import Access, connect
from awf_archive.search.opensearch.feed import Feed
from awf_archive.search.opensearch.index import Home, OpenSearchIndex
from awf_archive.search.opensearch.places import Places
from awf_archive.search.opensearch.upgrade import upgrade

pytestmark = pytest.mark.soak

SCALE = float(os.environ.get("AWF_ARCHIVE_SOAK_SCALE", "1"))
"""Of the numbers of turns: less on a machine that has no hours."""
SESSION = 20
"""Turns of a session."""
SAID = """cache index session token parser render schema migration worker queue retry timeout deploy branch commit
chúng ta nên dùng bộ nhớ đệm cho phiên làm việc vì tốc độ người dùng yêu cầu thêm tính năng tìm kiếm
我们需要 修改 数据库 结构 因为 查询 太慢 用户 登录 失败 密码 加密 缓存 会话 索引 搜索 功能 测试"""
NAMES = ("getUserName{n}", "src/module_{n}/file_{n}.py", "error_{n:04}", "term{n}")
WORDS = [*SAID.split(), *(name.format(n=n) for n in range(5000) for name in NAMES)]
FIRST_DAY = datetime(2026, 1, 1, tzinfo=UTC)


class Archive(dict):
    """Sessions of made-up turns, made when they are read: 200 words said, over three months."""

    def __init__(self, name, turns):
        self.turns = round(turns * SCALE) // SESSION * SESSION
        super().__init__(
            {
                Key(f"f{unit % 40}", f"session-{unit:05}"): f"{name} {unit}"
                for unit in range(self.turns // SESSION)
            }
        )

    def load(self, key):
        unit = int(key.unit[8:])
        draw = random.Random(unit)  # noqa: S311 - the same words each time
        for local in range(SESSION):
            number = unit * SESSION + local
            words = [WORDS[int(len(WORDS) * draw.random() ** 3)] for _ in range(200)]
            time = (FIRST_DAY + timedelta(minutes=number % 129_600)).strftime("%Y-%m-%dT%H:%M:%SZ")
            user, text = f"everyturn unit{unit} number{number} {' '.join(words[:30])}", " ".join(words[30:])
            yield said(number + 1, user, text, feature=key.feature, session=key.unit, time=time)


@pytest.fixture(scope="module")
def nodes():
    if reason := why_not():
        pytest.skip(f"OpenSearch cannot be tested here: {reason}")
    started = Cluster(java=HEAP)
    try:
        yield started.start()
    finally:
        started.stop()


@pytest.fixture
def tell(request):
    """Print a figure, and keep it where the environment says."""

    def told(**figures):
        line = json.dumps({"test": request.node.name} | figures)
        print(line)  # noqa: T201
        if path := os.environ.get("AWF_ARCHIVE_SOAK_FIGURES"):
            with Path(path).open("a") as file:
                file.write(line + "\n")

    return told


def index_of(nodes, home, path=None, **options):
    return OpenSearchIndex(
        connect(Access(nodes.hosts, timeout=60.0)), home, Feed(path), timeout=30.0, **options
    )


class Pusher(threading.Thread):
    """A machine that pushes, again and again until nothing is left."""

    def __init__(self, nodes, home, archive, path):
        super().__init__()
        self.of = nodes, home, archive, path
        self.failures = []
        self.pause = threading.Event()
        self.documents = 0

    def run(self):
        nodes, home, archive, path = self.of
        with closing(Feed(path)) as feed:
            index = OpenSearchIndex(connect(Access(nodes.hosts, timeout=60.0)), home, feed, patience=20.0)
            while True:
                try:
                    index.sync(archive, archive.load)
                except ClusterError as problem:
                    self.failures.append(problem.message)
                    self.pause.wait(1)  # a worker waits longer: services.team
                    continue
                break
            self.documents = feed.documents()


def count(index):
    index.refresh()
    return index.status().documents


def made_ready(nodes, home):
    """Make the three months' indices and wait until each shard has its copy."""
    places = Places(connect(Access(nodes.hosts, timeout=60.0)), home.alias, home.shards, home.version)
    for month in (1, 2, 3):
        places.ready(f"2026-{month:02}-02T10:00:00Z")
    nodes.wait_green()


def test_a_hundred_thousand_turns_in_bulk_and_what_a_search_takes(nodes, tell, tmp_path):
    home, archive = Home("soak-bulk", "shop", 3), Archive("shop", 100_000)
    made_ready(nodes, home)
    index = index_of(nodes, home, tmp_path / "feed.sqlite", patience=300.0)

    started, cpu = time.monotonic(), time.process_time()
    done = index.sync(archive, archive.load)
    seconds, cpu = time.monotonic() - started, time.process_time() - cpu

    assert done.documents == count(index) == archive.turns
    client = connect(Access(nodes.hosts, timeout=600.0))
    client.indices.forcemerge(index="soak-bulk", params={"max_num_segments": "1"}, request_timeout=600)
    store = client.indices.stats(index="soak-bulk")["_all"]["primaries"]["store"]["size_in_bytes"]
    words = sum(len((d.user + d.text).encode()) for key in list(archive)[:100] for d in archive.load(key)) / (
        100 * SESSION
    )
    tell(
        turns=archive.turns,
        seconds=round(seconds, 1),
        turns_per_second=round(archive.turns / seconds),
        cpu_of_client=round(cpu, 1),
    )
    tell(bytes_per_turn_on_disk=round(store / archive.turns), bytes_of_words_per_turn=round(words))
    rare, common = ["number7777", '"cache index"', "getUserName42"], ["everyturn", "chung ta", "数据库 查询"]
    for kind, topics in (("rare", rare), ("common", common)):
        took = []
        for topic in topics * 7:
            began = time.monotonic()
            assert index.search(Request(topic=topic)).total
            took.append(time.monotonic() - began)
        tell(topics=kind, median_ms=round(statistics.median(took) * 1000), worst_ms=round(max(took) * 1000))
    assert index.verify() == ()


def test_a_node_dies_during_pushes_and_queries(nodes, tell, tmp_path):
    home, archive = Home("soak-kill", "shop", 3), Archive("kill", 30_000)
    made_ready(nodes, home)
    pusher = Pusher(nodes, home, archive, tmp_path / "feed.sqlite")
    asker = index_of(nodes, home)
    pusher.start()
    while asker.search(Request(topic="everyturn")).total < archive.turns // 15:
        pusher.join(0.2)
    seen = asker.answer(Request(topic="everyturn"))

    killed = time.monotonic()
    nodes.kill(1)
    complete, partial, away, longest = 0, 0, 0, 0.0
    while pusher.is_alive():
        began = time.monotonic()
        try:
            answer = asker.answer(Request(topic="everyturn"))
        except ClusterError:
            away += 1
        else:
            is_whole = answer.result.total >= seen.result.total
            assert is_whole or answer.is_partial
            complete, partial = complete + (not answer.is_partial), partial + answer.is_partial
        longest = max(longest, time.monotonic() - began)
        pusher.join(0.2)
    pushed = time.monotonic() - killed
    restarted = time.monotonic()
    nodes.start(1)
    nodes.wait_green(300)
    green = time.monotonic() - restarted

    assert count(asker) == archive.turns
    with closing(Feed(tmp_path / "feed.sqlite")) as feed:
        assert OpenSearchIndex(connect(Access(nodes.hosts, timeout=60.0)), home, feed).verify() == ()
    tell(
        complete=complete,
        partial=partial,
        away=away,
        longest_answer=round(longest, 1),
        push_failures=len(pusher.failures),
    )
    tell(seconds_of_pushing_with_two_nodes=round(pushed, 1), seconds_from_restart_to_green=round(green, 1))


def test_all_nodes_are_away_for_a_while_and_everything_waiting_is_sent_after(nodes, tell, tmp_path):
    home, archive = Home("soak-away", "shop", 3), Archive("away", 10_000)
    made_ready(nodes, home)
    pusher = Pusher(nodes, home, archive, tmp_path / "feed.sqlite")
    asker = index_of(nodes, home)
    pusher.start()
    while asker.search(Request(topic="everyturn")).total < archive.turns // 10:
        pusher.join(0.2)

    nodes.kill()
    while not pusher.failures:
        pusher.join(0.5)
    with pytest.raises(ClusterError):
        asker.search(Request(topic="everyturn"))
    nodes.start()
    back = time.monotonic()
    pusher.join()
    drained = time.monotonic() - back
    nodes.wait_green(300)

    assert count(asker) == archive.turns
    with closing(Feed(tmp_path / "feed.sqlite")) as feed:
        assert OpenSearchIndex(connect(Access(nodes.hosts, timeout=60.0)), home, feed).verify() == ()
    tell(push_failures=len(pusher.failures), seconds_from_start_of_nodes_to_all_sent=round(drained, 1))


def test_two_machines_push_at_once(nodes, tell, tmp_path):
    archives = {"shop": Archive("shop", 10_000), "bank": Archive("bank", 10_000)}
    homes = {name: Home("soak-two", name, 3) for name in archives}
    made_ready(nodes, homes["shop"])
    pushers = [Pusher(nodes, homes[name], archives[name], tmp_path / name) for name in archives]
    pushers.append(Pusher(nodes, homes["shop"], archives["shop"], tmp_path / "clone"))

    started = time.monotonic()
    for pusher in pushers:
        pusher.start()
    for pusher in pushers:
        pusher.join()

    tell(machines=3, turns=3 * archives["shop"].turns, seconds=round(time.monotonic() - started, 1))
    assert [pusher.failures for pusher in pushers] == [[], [], []]
    assert {count(index_of(nodes, homes[name])) for name in archives} == {archives["shop"].turns}


def test_the_form_changes_under_load(nodes, tell):
    archive = Archive("form", 20_000)
    old, new = Home("soak-form", "shop", 3, version=1), Home("soak-form", "shop", 3, version=2)
    made_ready(nodes, old)
    index_of(nodes, old, patience=120.0).sync(archive, archive.load)
    asker = index_of(nodes, old)
    asker.refresh()
    seen, is_done = [], threading.Event()

    def asking():
        while not is_done.wait(0.2):
            seen.append(asker.answer(Request(topic="everyturn", limit=1)))

    thread = threading.Thread(target=asking)
    thread.start()
    started = time.monotonic()
    try:
        places = Places(connect(Access(nodes.hosts, timeout=60.0)), new.alias, 3, 2)
        done = upgrade(places)
    finally:
        is_done.set()
        thread.join()
    seconds = time.monotonic() - started

    whole = min(archive.turns, 10_000)  # beyond, a cluster is not asked to count
    assert all(answer.result.total >= whole and not answer.is_partial for answer in seen)
    assert count(index_of(nodes, new)) == archive.turns
    tell(documents=done.documents, seconds=round(seconds, 1), answers_meanwhile=len(seen))
