"""Which of several answers comes first, and what filters let through."""

import json
from pathlib import Path

import pytest
from small_archives import FIRST, SECOND, said, turns

from awf_archive.search.documents import Document, Key, Kind, Note, Part

CASE = Path(__file__).parents[3] / "shared" / "cases" / "J01-multilingual-search"


def test_what_people_said_comes_before_tool_output_and_thinking(fill, ask):
    fill(
        {
            FIRST: [
                said(1, "", "redis thoughts", part=Part.THINKING),
                said(2, "", "redis output", part=Part.TOOLS),
                said(3, "use redis", "yes"),
            ],
            Key("demo", "decisions"): [
                Document(kind=Kind.DECISION, feature="demo", id="D1", text="use redis", turn=3)
            ],
        }
    )

    hits = ask("redis").hits

    assert [(hit.kind, hit.part) for hit in hits] == [
        (Kind.DECISION, Part.SAID),
        (Kind.TURN, Part.SAID),
        (Kind.TURN, Part.TOOLS),
        (Kind.TURN, Part.THINKING),
    ]


def test_the_parts_of_a_turn_are_one_hit(fill, ask):
    fill({FIRST: [said(1, "about redis"), said(1, "", "redis redis", part=Part.TOOLS)]})

    result = ask("redis")

    assert (result.total, [hit.part for hit in result.hits]) == (1, [Part.SAID])


def test_words_may_stand_in_different_parts_of_a_turn(fill, ask):
    fill({FIRST: [said(1, "about redis"), said(1, "", "timeout", part=Part.TOOLS), said(2, "redis alone")]})

    result = ask("redis timeout")

    assert (turns(result), result.note) == ([1], Note.NONE)


@pytest.mark.parametrize("topic", ["máy chủ", "quyết định"])
def test_marks_as_typed_come_first(fill, ask, topic):
    fill({FIRST: [said(1, "may chu mây chú quyet dinh"), said(2, "máy chủ quyết định")]})

    assert turns(ask(topic)) == [2, 1]


def test_words_side_by_side_come_first(fill, ask):
    fill({FIRST: [said(1, "quyet x y z a b dinh"), said(2, "da quyet dinh roi a b c d e f g h i k l")]})

    assert turns(ask("quyet dinh")) == [2, 1]


def test_a_title_counts_more(fill, ask):
    fill({FIRST: [said(1, "redis and many other words"), said(2, "and many other words", title="Redis")]})

    assert turns(ask("redis")) == [2, 1]


def test_nothing_with_every_word_gives_most_words_and_says_so(fill, ask):
    fill({FIRST: [said(1, "redis cache timeout"), said(2, "cache only")]})

    result = ask("redis cache zebra")

    assert (turns(result), result.note) == ([1], Note.MOST_WORDS)


def test_a_pasted_page_finds_the_turn_that_holds_some_of_it(fill, ask):
    trace = "Traceback (most recent call last): File /srv/app/ledger.py line 3 in reconcile ValueError: negative balance"
    fill(
        {
            FIRST: [
                said(1, "the reconcile step raised ValueError negative balance in ledger.py"),
                said(2, "most files"),
            ]
        }
    )

    result = ask(trace + " unrelated words from another place " * 20)

    assert turns(result)[0] == 1


def test_a_sentence_that_stands_nowhere_is_found_in_parts(fill, ask):
    fill({FIRST: [said(1, "数据仓库连接失败"), said(2, "天气很好")]})

    result = ask("数据库连接")

    assert turns(result) == [1]
    assert result.note is not Note.NONE


@pytest.mark.parametrize(
    ("topic", "wanted"),
    [
        ("word role:user", [1]),
        ("word role:assistant", [2]),
        ("word tool:bash", [3]),
        ("word file:login.ts", [3]),
        ("word file:src/auth", [3]),
        ("word file:auth/login", [3]),
        ("word session:2", [4]),
        ("word feature:Other", [4]),
        ("word kind:tool", [3]),
        ("word kind:thinking", []),
        ("word since:2026-03", [4]),
        ("word until:2026-02", [1]),
        ("word since:2026-02-01 until:2026-02-28", [1]),
        ("word -alpha", [2, 3, 4]),
        ("file:login.ts", [3]),
        ("session:2", [4]),
    ],
)
def test_a_filter_lets_through(fill, ask, topic, wanted):
    touched = {"files": ("src/auth/login.ts",), "tools": ("Bash",)}
    fill(
        {
            FIRST: [
                said(1, "word alpha", "beta", time="2026-02-03T10:00:00Z"),
                said(2, "gamma", "word"),
                said(3, "", "word", part=Part.TOOLS, **touched),
            ],
            Key("other", "session-002"): [
                Document(
                    kind=Kind.CHUNK,
                    feature="other",
                    session="session-002",
                    turn=4,
                    text="a word",
                    time="2026-03-02T10:00:00+07:00",
                )
            ],
        }
    )

    assert sorted(turns(ask(topic))) == wanted


def test_options_and_typed_filters_hold_together(fill, ask):
    fill({FIRST: [said(1, "word")], SECOND: [said(2, "word", session="session-002")]})

    assert turns(ask("word", session="session-002")) == [2]
    assert turns(ask("word kind:decision", session="session-002")) == []
    assert ask("", feature="demo").total == 2


def test_pages_follow_each_other(fill, ask):
    fill({FIRST: [said(number, "word " * number) for number in range(1, 31)]})

    first, second = ask("word", limit=10), ask("word", limit=10, offset=10)

    assert first.total == second.total == 30
    assert not set(turns(first)) & set(turns(second))
    assert turns(first) + turns(second) == turns(ask("word", limit=20))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("databse", "database"), ("conection pool", "connection pool"), ("zzzzqq", ""), ("database", "")],
)
def test_did_you_mean(fill, ask, typed, meant):
    fill({FIRST: [said(1, "the database connection pool")]})

    assert ask(typed).did_you_mean == meant


@pytest.mark.shared
@pytest.mark.skipif(not CASE.exists(), reason="../shared is not here")
def test_case_j01(fill, ask):
    lines = [json.loads(line) for line in (CASE / "input.jsonl").read_text(encoding="utf-8").splitlines()]
    prompts = [line["message"]["content"] for line in lines if line["type"] == "user"]
    answers = [line["message"]["content"][0]["text"] for line in lines if line["type"] == "assistant"]
    names = [answer.removeprefix("ghi nhận ") for answer in answers]
    fill({FIRST: [said(number, prompt) for number, prompt in enumerate(prompts, 1)]})

    for query in json.loads((CASE / "queries.json").read_text(encoding="utf-8")):
        found = {names[turn - 1] for turn in turns(ask(query["q"]))}
        if "hits" in query:
            assert found == set(query["hits"]), query["q"]
        assert found >= set(query.get("hits_include", ())), query["q"]
