"""What the pages beside the sessions tell: months, files, topics, numbers, decisions, the feed."""

import json
import re
from xml.etree import ElementTree as ET

import pytest

from awf_archive.domain.decisions import Decision, Place, Side, Status
from awf_archive.domain.manifest import Moved
from awf_archive.domain.session import SourceInfo
from awf_archive.domain.transcript import Text, ToolCall, ToolResult
from awf_archive.site_builder.build import How, build
from awf_archive.site_builder.facts import SessionFacts
from awf_archive.site_builder.page import split_pages
from awf_archive.site_builder.topics import _phrases

ATOM = "{http://www.w3.org/2005/Atom}"


def edits(path: str, *, fails: bool = False) -> ToolCall:
    result = ToolResult(blocks=(Text(text="done"),), is_error=fails)
    return ToolCall(
        id="c", name="Edit", input={"file_path": path, "old_string": "a", "new_string": "b"}, result=result
    )


def page(archive, path: str) -> str:
    return (archive.layout.site / path).read_text("utf-8")


def test_a_new_session_moves_no_older_page_of_a_long_list():
    def pages(count: int) -> dict[str, list[int]]:
        return {place.name: list(rows) for place, rows in split_pages(list(range(count, 0, -1)))}

    for count in range(1001):
        before, after = pages(count), pages(count + 1)

        assert [row for rows in before.values() for row in rows] == list(range(count, 0, -1))
        assert all(after[name] == rows for name, rows in before.items() if name != "index")
        assert len(before["index"]) < 300


def test_the_pages_of_a_long_list_lead_to_one_another(small, monkeypatch):
    monkeypatch.setattr("awf_archive.site_builder.page._ROWS", 1)
    build(small.layout)
    name, seen = "index", []

    while name:
        html = page(small, f"sessions/{name}.html").partition('class="awf-pager"')[2].partition("</nav>")[0]
        seen.append(name)
        name = next(iter(re.findall(r'href="([\w-]+)\.html">[^<]*→', html)), "")

    assert seen == ["index", "page-2", "page-1"]


@pytest.fixture
def worked(archive, turn):
    """Two sessions of two months that edit the same file, and one of no date."""
    archive.save("cart", [turn("fix the cart", (edits("src/cart.py"),))], title="Cart totals")
    archive.save(
        "cart",
        [turn("more", (edits("src/cart.py", fails=True),), time="2026-02-01T09:00:00Z"), turn("thanks")],
        title="Cart rounding",
        tokens={"input": 1200, "output": 34},
    )
    archive.save("login", [turn("hello", time="")], title="Login", created_at="")
    return archive


def test_each_month_has_a_page_and_the_timeline_lists_them(worked):
    build(worked.layout)

    assert "2026-02/index.html" in page(worked, "timeline/index.html")
    assert "Cart rounding" in page(worked, "timeline/2026-02/index.html")
    assert "Cart totals" not in page(worked, "timeline/2026-02/index.html").partition("<article")[2]
    assert not (worked.layout.site / "timeline/index.html/").is_dir()


def test_a_file_tells_which_sessions_touched_it_and_in_which_turns(worked):
    build(worked.layout)

    folder = next((worked.layout.site / "files").glob("src-cart-py~*"))
    html = (folder / "index.html").read_text("utf-8")
    assert "Cart totals" in html
    assert "features/cart/session-002/index.html#turn-001" in html
    assert folder.name in page(worked, "files/index.html")


def test_numbers_count_turns_tools_errors_models_and_tokens(worked):
    build(worked.layout)

    html = page(worked, "statistics/index.html")
    assert "2 tool calls · 1 failed" in html
    assert "1,200" in html
    assert "claude-opus-4-5" in html
    assert html.count("<svg viewBox") == 2


def test_words_that_sessions_share_are_topics(worked):
    build(worked.layout)

    html = page(worked, "topics/index.html")
    assert "<h2>cart <small>2 sessions" in html
    assert "Cart totals" in html


def test_a_topic_shows_its_newest_sessions_and_folds_the_rest(archive, turn):
    for number in range(1, 6):
        time = f"2026-01-0{number}T10:00:00Z"
        archive.save(
            "cart", [turn("hello", time=time)], title=f"Rounding {'abcde'[number - 1]}", created_at=time
        )
        archive.save("login", [turn("hello", time="2025-01-01T10:00:00Z")], title="abcde"[number - 1])

    build(archive.layout)

    topic = page(archive, "topics/index.html").partition('<section id="t1">')[2].partition("</section>")[0]
    opened, _, folded = topic.partition("<details")
    assert re.findall(r"Rounding (\w)", opened) == ["e", "d", "c"]
    assert re.findall(r"Rounding (\w)", folded) == ["b", "a"]


def test_words_of_the_very_same_sessions_are_one_topic(archive, turn):
    archive.save("cart", [turn("hello")], title="Payment gateway")
    archive.save("cart", [turn("hello")], title="Gateway payment")

    build(archive.layout)

    assert page(archive, "topics/index.html").count('<section id="t') == 1
    assert "gateway · payment" in page(archive, "topics/index.html")


def test_words_that_name_nothing_and_names_of_users_are_no_topics(archive, turn):
    for number in (1, 2):
        archive.save(
            "cart",
            [turn("hello")],
            title=f"/home/kevin/{'ab'[number - 1]}: bump version of the chat settings folder",
        )
        archive.save(
            "cart", [turn("hello")], title=f"C:\\Users\\kevin and -home-kevin-{'ab'[number - 1]} by user50"
        )
        archive.save("cart", [turn("hello")], title=f"Phiên bản {number}: 文件夹 gateway")

    build(archive.layout)

    cloud = page(archive, "topics/index.html").partition("awf-cloud")[2].partition("</ul>")[0]
    assert re.findall(r'href="#t\d">([^<]*)<', cloud) == ["gateway"]


def test_vietnamese_and_chinese_phrases_are_topics_too():
    assert set(_phrases("Xác thực 数据库")) == {"xác thực", "数据", "据库", "数据库"}


def decide(archive, *texts: str, reason: str = "Which store?") -> None:
    decisions = [
        Decision(
            id=f"D-{number:03d}", text=text, reason=reason, options=("SQLite", "<b>Redis</b>"),
            status=Status.ACCEPTED, feature="cart", session="session-001", turn=1, date="2026-01-30T10:00:00Z",
            by="user", found_by="question", evidence="said so", call_id=f"c{number}",
            moved_to="login D-009" if text == "moved" else "",
        )
        for number, text in enumerate(texts, 1)
    ]  # fmt: skip
    path = archive.layout.decisions("cart")
    path.write_text(json.dumps({"decisions": [one.to_json() for one in decisions]}), "utf-8")


def test_each_decision_has_a_page_that_leads_to_its_turn_and_to_the_later_answer(worked):
    decide(worked, "Store: SQLite", "Store: Postgres")

    build(worked.layout)

    html = page(worked, "decisions/cart/d-001/index.html")
    assert 'href="../../../features/cart/session-001/index.html#turn-001"' in html
    assert 'decided again: <a href="../../../decisions/cart/d-002/index.html">' in html
    assert "&lt;b&gt;Redis&lt;/b&gt;" in html
    assert "decided before: <a" in page(worked, "decisions/cart/d-002/index.html")


def test_what_replaced_what_stands_on_both_pages_with_the_evidence_and_where_it_was_said_again(worked):
    def one(number, **more):
        place = Place(side=Side.USER, turns_back=1) if number == 2 else None
        return Decision(
            id=f"D-{number:03d}", text=f"store {number} <i>", feature="cart", session="session-001", turn=number,
            status=more.pop("status", Status.ACCEPTED), evidence="<b>said</b> **A** `**b**` 2**3 **", place=place, **more,
        )  # fmt: skip

    decisions = [
        one(1, status=Status.SUPERSEDED, superseded_by="D-002"),
        one(2, supersedes=("D-001",), also=(1, 99)),
        one(3, status=Status.PROPOSED, may_supersede=("D-002",)),
    ]
    path = worked.layout.decisions("cart")
    path.write_text(json.dumps({"decisions": [each.to_json() for each in decisions]}), "utf-8")

    build(worked.layout)

    old, new, open_ = (page(worked, f"decisions/cart/d-00{number}/index.html") for number in (1, 2, 3))
    assert (
        'Superseded by <a href="../../../decisions/cart/d-002/index.html">D-002</a> — store 2 &lt;i&gt;'
        in old
    )
    assert 'Takes the place of <a href="../../../decisions/cart/d-001/index.html">' in new
    assert 'href="../../../features/cart/session-001/index.html#turn-001" data-awf="evidence"' in new
    assert "&lt;b&gt;said&lt;/b&gt; <strong>A</strong> <code>**b**</code> 2**3 **" in new
    again = new.partition("Said again or confirmed in</span>")[2].partition("</p>")[0]
    assert [">#1" in again, "#turn-001" in again, "<span>#99</span>" in again] == [True] * 3
    assert "Said again" not in old
    assert 'Seems to take the place of <a href="../../../decisions/cart/d-002/index.html">' in open_
    home = page(worked, "index.html")
    assert home.index("d-002/index.html") < home.index("d-003/index.html")
    assert "d-001/index.html" not in home


def test_a_moved_decision_leads_on_from_its_old_address(worked):
    decide(worked, "moved")

    build(worked.layout)

    html = page(worked, "decisions/cart/d-001/index.html")
    assert 'href="../../../decisions/login/d-009/index.html"' in html
    assert "d-001" not in page(worked, "decisions/index.html")


def test_only_the_page_of_a_changed_decision_is_written(worked):
    decide(worked, "Store: SQLite", "Store: Postgres", reason="")
    build(worked.layout)
    before = (worked.layout.site / "decisions/cart/d-001/index.html").stat().st_mtime_ns

    decide(worked, "Store: SQLite", "Store: MySQL", reason="")
    build(worked.layout)

    assert (worked.layout.site / "decisions/cart/d-001/index.html").stat().st_mtime_ns == before
    assert "MySQL" in page(worked, "decisions/cart/d-002/index.html")


def test_the_feed_names_the_newest_sessions_first(worked):
    build(worked.layout)

    feed = ET.fromstring(page(worked, "feed.xml"))  # noqa: S314 - we wrote it
    titles = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
    assert titles == ["Cart rounding", "Cart totals", "Login"]
    assert all(entry.findtext(f"{ATOM}updated", "").endswith("Z") for entry in feed.iter(f"{ATOM}entry"))


def test_numbers_of_moved_turns_lead_to_where_they_are(worked):
    manifest = worked.manifests["login"]
    path = worked.layout.manifest("cart")
    value = json.loads(path.read_bytes())
    value["movedTurns"] = [Moved(turn_range=(7, 7), feature="login", start=1).to_json()]
    path.write_text(json.dumps(value), "utf-8")

    build(worked.layout)

    assert manifest.sessions
    table = page(worked, "t/index.html").partition('data-awf="turns">')[2].partition("</script>")[0]
    assert [7, 7, "features/login/session-001"] in json.loads(table)["cart"]


def test_the_old_address_of_a_moved_session_leads_on_without_scripts_too(worked, turn):
    worked.save("login", [turn("more"), turn("thanks")], title="Cart rounding")
    worked.put_away("cart", "session-002", ("login", 2))

    build(worked.layout)

    html = page(worked, "features/cart/session-002/index.html")
    assert '<a href="../../../features/login/session-002/index.html">login · session-002</a>' in html
    assert "session-002" not in page(worked, "features/cart/index.html").partition("<article")[2]
    assert "features/cart/session-002" not in page(worked, "search/search_index.json")


def test_an_old_address_where_another_session_lies_now_is_that_session(worked, turn):
    worked.save("login", [turn("more"), turn("thanks")], title="Cart rounding")
    worked.put_away("cart", "session-002", ("login", 2))
    manifest = worked.manifests["cart"]
    worked.save("cart", [turn("a new question")], title="Anew")
    value = json.loads(worked.layout.manifest("cart").read_bytes())
    value["movedTurns"] = [one.to_json() for one in manifest.moved]
    worked.layout.manifest("cart").write_text(json.dumps(value), "utf-8")

    build(worked.layout)

    html = page(worked, "features/cart/session-002/index.html")
    assert "a new question" in html
    assert 'data-awf="moved"' not in html


def test_what_move_put_away_and_does_not_read_hinders_nothing(worked, turn):
    worked.save("login", [turn("more"), turn("thanks")], title="Cart rounding")
    worked.put_away("cart", "session-002", ("login", 2))
    kept = next((worked.layout.conversations("cart") / "moved").glob("*/metadata.json"))
    kept.write_text("{", "utf-8")

    report = build(worked.layout)

    assert report.warnings == ()
    assert not (worked.layout.site / "features/cart/session-002").exists()


def test_a_turn_tells_the_numbers_that_it_bore_before_a_move_and_a_merge(worked):
    path = worked.layout.manifest("cart")
    value = json.loads(path.read_bytes())
    value["movedTurns"] = [Moved(turn_range=(7, 7), feature="login", start=1).to_json()]
    path.write_text(json.dumps(value), "utf-8")
    path = worked.layout.session("cart", "session-002") / "metadata.json"
    session = json.loads(path.read_bytes())
    session["turns"][1]["formerly"] = [3, 12]
    path.write_text(json.dumps(session), "utf-8")

    build(worked.layout)

    moved = page(worked, "features/login/session-001/index.html")
    merged = page(worked, "features/cart/session-002/index.html")
    assert "formerly cart#7</p>" in moved
    assert re.findall(r"formerly ([^<]*)</p><section[^>]*turn-(\d+)", merged) == [("#12", "002")]


def test_where_only_prompts_are_known_it_is_said_in_lists_and_on_the_page(archive, turn):
    source = SourceInfo(format="claude-history", window="w", name="history.jsonl", partial=True)
    archive.save("cart", [turn("make it red")], title="Colours", source=source)
    archive.save("cart", [turn("and blue")], title="More colours")

    build(archive.layout)

    chip = re.compile(r'<span class="awf-chip awf-partial" title="[^"]*deleted[^"]*">prompts only</span>')
    assert len(chip.findall(page(archive, "sessions/index.html"))) == 1
    assert chip.search(page(archive, "features/cart/session-001/index.html"))
    assert not chip.search(page(archive, "features/cart/session-002/index.html"))


def test_a_features_timeline_follows_time_where_old_sessions_were_saved_late(archive, turn):
    archive.save("cart", [turn("late", time="2026-03-01T09:00:00Z")], title="Newest")
    archive.save("cart", [turn("early", time="2025-03-01T09:00:00Z")], title="Oldest")

    build(archive.layout)

    timeline = page(archive, "features/cart/index.html").partition('id="timeline"')[2]
    assert timeline.index("Newest") < timeline.index("Oldest")


def test_what_stands_between_backticks_in_a_decision_is_code_and_stays_harmless(worked):
    decide(worked, "use `Path<b>` not `os`")

    build(worked.layout)

    assert "use <code>Path&lt;b&gt;</code> not <code>os</code>" in page(worked, "decisions/index.html")


def test_facts_survive_the_way_through_their_file(worked):
    build(worked.layout)
    path = worked.layout.render_cache / "en/facts.json"

    for value in json.loads(path.read_bytes())["sessions"].values():
        facts = SessionFacts.from_json(value)
        assert json.loads(json.dumps(facts.to_json())) == value


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"version": 1, "engine": 3, "sessions": []}', b"\xff"])
def test_a_damaged_file_of_facts_is_made_again(worked, damage):
    build(worked.layout)
    (worked.layout.render_cache / "en/facts.json").write_bytes(damage)

    assert build(worked.layout).changed == 0


def test_two_processes_make_the_same_site_as_one(archive, turn, tmp_path):
    for number in range(22):
        archive.save("many", [turn(f"question {number}")], title=f"Session {number}")

    build(archive.layout, how=How(jobs=2))
    build(archive.layout, site_dir=tmp_path / "one", how=How(jobs=1, full=True))

    left, right = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.html")}
        for folder in (archive.layout.site, tmp_path / "one")
    )
    assert left == right


def standing(archive, *statuses: Status) -> None:
    decisions = [
        Decision(id=f"D-{number:03d}", text=f"text {number}", feature="cart", session="session-001", turn=1, status=status, date="2026-01-30T10:00:00Z")
        for number, status in enumerate(statuses, 1)
    ]  # fmt: skip
    path = archive.layout.decisions("cart")
    path.write_text(json.dumps({"decisions": [one.to_json() for one in decisions]}), "utf-8")


MIXED = (
    Status.REJECTED,
    Status.PROPOSED,
    Status.ACCEPTED,
    Status.SUPERSEDED,
    Status.PROPOSED,
    Status.ACCEPTED,
)


def test_a_feature_shows_what_holds_and_folds_what_waits_and_what_is_past(worked):
    standing(worked, *MIXED)

    build(worked.layout)

    html = page(worked, "features/cart/index.html").partition('<h2 id="decisions">')[2].partition("<h2")[0]
    opened, waiting, past = html.split("<details")
    assert re.findall(r"text (\d)", opened) == ["6", "3"]
    assert re.findall(r"text (\d)", waiting) == ["5", "2"]
    assert re.findall(r"text (\d)", past) == ["4", "1"]
    assert ["Proposed · 2" in waiting, "Superseded / rejected · 2" in past] == [True, True]
    assert "features/cart/index.html" not in html


def test_many_standing_decisions_of_a_feature_are_folded_too(worked):
    standing(worked, *[Status.ACCEPTED] * 15)

    build(worked.layout)

    html = page(worked, "features/cart/index.html").partition('<h2 id="decisions">')[2]
    opened, _, folded = html.partition("<details")
    assert len(re.findall(r"text \d", opened)) == 12
    assert "Accepted · 3 more" in folded


def test_a_sessions_box_and_the_decisions_page_begin_with_what_holds(worked):
    standing(worked, *MIXED)

    build(worked.layout)

    box = page(worked, "features/cart/session-001/index.html").partition('awf-box--decision">')[2]
    assert re.findall(r"text (\d)", box.partition("</div>")[0]) == ["3", "6", "2", "5", "1", "4"]
    month = page(worked, "timeline/2026-01/index.html").rpartition("<h2>Decisions")[2]
    assert re.findall(r"text (\d)", month) == ["6", "3", "5", "2", "4", "1"]
    listed = page(worked, "decisions/index.html").partition('data-awf="group"')[2]
    assert re.findall(r"text (\d)", listed) == ["6", "3", "5", "2", "4", "1"]


def test_one_of_a_kind_is_counted_as_one(archive, turn):
    archive.save("cart", [turn("hello"), turn("again")])

    build(archive.layout)

    counters = page(archive, "index.html").partition("awf-counters")[2].partition("</ul>")[0]
    assert re.findall(r"<b>(\d+)</b> <span>(\w+)", counters) == [
        ("1", "Feature"), ("1", "Session"), ("2", "Turns"), ("0", "Decisions"),
    ]  # fmt: skip
