"""Decisions in what was said: every row was worked out by a person, text and reason too."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awf_archive.domain.decisions import Context, Exchange, Found, Side, Status
from awf_archive.domain.decisions.text import find
from awf_archive.domain.transcript import Block, Text


def found_in(user: str, answer: str = "", before: str = "") -> list[Found]:
    context = Context.of(Exchange(user="", assistant=before)) if before else Context()
    blocks: list[Block] = [Text(text=answer)] if answer else []
    return list(find(user, blocks, context))


def told(found: list[Found]) -> list[tuple[str, str]]:
    return [(one.text, one.reason) for one in found]


STATED = [
    # what the user says, what was decided, why
    ("dùng SQLite thay vì Postgres vì ít hạ tầng", "dùng SQLite thay vì Postgres", "ít hạ tầng"),
    (
        "thôi khỏi Celery, dùng luôn APScheduler đang có sẵn.",
        "thôi khỏi Celery, dùng luôn APScheduler đang có sẵn",
        "",
    ),
    ("không dùng Redis nữa, chuyển sang SQLite nhé", "không dùng Redis nữa, chuyển sang SQLite nhé", ""),
    ("Đừng dùng jQuery, dùng fetch thuần thôi", "Đừng dùng jQuery, dùng fetch thuần thôi", ""),
    ("mình chốt phương án lưu file JSON nhé", "chốt phương án lưu file JSON nhé", ""),
    ("ok, chuyển hẳn sang pnpm vì npm chậm quá", "chuyển hẳn sang pnpm", "npm chậm quá"),
    ("từ giờ trở đi commit message viết tiếng Anh", "từ giờ trở đi commit message viết tiếng Anh", ""),
    ("vì chạy offline nên dùng SQLite thay cho MySQL", "dùng SQLite thay cho MySQL", "chạy offline"),
    ("dung SQLite thay vi Postgres vi it ha tang", "dung SQLite thay vi Postgres", "it ha tang"),
    ("thoi khoi Celery, dung luon APScheduler", "thoi khoi Celery, dung luon APScheduler", ""),
    ("quyet dinh dung Redis lam cache", "quyet dinh dung Redis lam cache", ""),
    ("不要用Redis，改用SQLite，因为更简单", "不要用Redis，改用SQLite", "更简单"),
    ("用SQLite而不是Postgres", "用SQLite而不是Postgres", ""),
    ("因为要离线，所以我们就用SQLite", "就用SQLite", "要离线"),
    ("不用本地存储了，改用对象存储吧", "不用本地存储了，改用对象存储吧", ""),
    ("我决定采用单体架构，因为团队小", "决定采用单体架构", "团队小"),
    ("把axios换成fetch", "把axios换成fetch", ""),
    ("以后都用英文写注释", "以后都用英文写注释", ""),
    ("时间统一用UTC存储", "时间统一用UTC存储", ""),
    ("let's go with SQLite because it needs no server", "let's go with SQLite", "it needs no server"),
    ("No, don't use Redis, use SQLite", "don't use Redis, use SQLite", ""),
    ("Please use `pnpm` instead of `npm` everywhere.", "use `pnpm` instead of `npm` everywhere", ""),
    ("ok but let's stick with the old API", "let's stick with the old API", ""),
    (
        "We've decided to keep the JSON format. Because tools read it.",
        "We've decided to keep the JSON format",
        "Because tools read it",
    ),
    ("Since the team is small, we'll go with a monolith", "we'll go with a monolith", "the team is small"),
    ("I'd prefer tabs over spaces here", "I'd prefer tabs over spaces here", ""),
    ("switch to the REST API rather than GraphQL", "switch to the REST API rather than GraphQL", ""),
]


@pytest.mark.parametrize(("said", "text", "reason"), STATED, ids=lambda value: str(value)[:40])
def test_a_users_own_words_decide(said, text, reason):
    found = found_in(said)

    assert told(found) == [(text, reason)]
    assert found[0].status is Status.ACCEPTED
    assert (found[0].by, found[0].found_by, found[0].place.side) == ("user", "statement", Side.USER)


UNDECIDED = [
    "có nên dùng Redis thay vì SQLite không?",
    "dùng Redis thay vì SQLite được không",
    "nếu chậm thì dùng Redis thay vì SQLite",
    "chưa quyết định dùng gì",
    "hay là dùng Redis thay vì SQLite nhỉ",
    "dừng server lại đi",
    "dung server lai di",
    "em đang phân vân dùng Redis hay SQLite",
    'anh ấy nói "dùng Redis thay vì SQLite"',
    "要不要用SQLite代替Postgres？",
    "如果太慢就改用Redis",
    "还没决定用什么",
    "是不是应该用Redis而不是SQLite？",
    "这个由你决定",
    "他说「改用Redis」",
    "用户登录失败了",
    "should we use Redis instead of SQLite?",
    "what if we go with Redis",
    "maybe we should switch to Redis",
    "if it is slow, use Redis instead of SQLite",
    "I haven't decided to use Redis yet",
    "why did you use Redis instead of SQLite",
    "it returns null instead of throwing",
    "the function uses a list instead of a set, which is slow",
    'the docs say "use Redis instead of SQLite"',
    "> let's go with Redis",
    "```\nlet's go with Redis instead of SQLite\n```",
    "you decide",
    "pick up where we left off",
    "switch to branch main",
    "let's go",
    "ok",
    "好的",
    "đồng ý",
    "2",
    "",
    "/plan the next sprint",
]


@pytest.mark.parametrize("said", UNDECIDED, ids=lambda value: value[:40])
def test_questions_doubts_quotations_and_code_decide_nothing(said):
    assert found_in(said) == []


TWO_WAYS = {
    "en": "Two ways:\n\n1. **Redis**: fast, one more service\n2. **SQLite**: no server\n\nI recommend SQLite because it needs no server. Shall I go ahead?",
    "letters": "Option A: Redis\nOption B: SQLite\n\nWhich one?",
    "headings": "### Option 1 — Redis\n\nFast.\n\n### Option 2 — SQLite\n\nNo server.\n\nTell me which.",
    "vi": "Có hai cách:\n- **Phương án 1:** Redis\n- **Phương án 2:** SQLite\n\nMình đề xuất SQLite vì không cần server. Bạn thấy sao?",
    "zh": "有两个方案：\n\n方案一：Redis\n方案二：SQLite\n\n我建议用SQLite，因为不需要服务器。可以吗？",
}

CHOSEN = [
    ("en", "2", "SQLite: no server", ""),
    ("en", "2, because simpler", "SQLite: no server", "simpler"),
    ("en", "the first one", "Redis: fast, one more service", ""),
    ("en", "let's go with option 2", "SQLite: no server", ""),
    ("en", "#1 please", "Redis: fast, one more service", ""),
    ("letters", "B", "SQLite", ""),
    ("letters", "option b please", "SQLite", ""),
    ("letters", "I'll take the last one", "SQLite", ""),
    ("headings", "Option 2", "SQLite", ""),
    ("vi", "cách 2 nhé, vì nhẹ hơn", "SQLite", "nhẹ hơn"),
    ("vi", "chọn phương án 1 đi", "Redis", ""),
    ("vi", "phuong an 2", "SQLite", ""),
    ("vi", "cái thứ hai nhé", "SQLite", ""),
    ("zh", "选方案二", "SQLite", ""),
    ("zh", "第一个方案", "Redis", ""),
    ("zh", "方案2吧", "SQLite", ""),
    ("zh", "用第二种", "SQLite", ""),
    ("letters", "选B", "SQLite", ""),
]


@pytest.mark.parametrize(("before", "said", "text", "reason"), CHOSEN, ids=lambda value: str(value)[:40])
def test_a_pick_is_the_option_picked(before, said, text, reason):
    found = found_in(said, before=TWO_WAYS[before])

    assert told(found) == [(text, reason)]
    assert found[0].status is Status.ACCEPTED
    assert (found[0].found_by, len(found[0].options), found[0].place.turns_back) == ("choice", 2, 1)
    assert TWO_WAYS[before][found[0].place.offset :].startswith(("1", "2", "A", "B", "一", "二"))


def test_a_pick_may_answer_the_turn_before_the_last():
    before = (
        Exchange(user="which?", assistant=TWO_WAYS["letters"]),
        Exchange(user="what is B?", assistant="A file on disk.\n\n1. small\n2. safe"),
    )

    (found,) = find("B", [], Context.of(*before))

    assert (found.text, found.place.turns_back) == ("SQLite", 2)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            "Backend tuần này đóng băng để release, không đụng vào.",
            "Backend tuần này đóng băng để release, không đụng vào",
        ),
        ("单字查询直接拒绝吧，至少两个字", "单字查询直接拒绝吧，至少两个字"),
        ("ok, dùng pandas đi", "dùng pandas đi"),
    ],
)
def test_a_decision_of_few_words_is_told_with_what_it_is_about(said, text):
    assert [one.text for one in found_in(said)] == [text]


AGREED = [
    ("en", "yes", "SQLite", "it needs no server"),
    ("en", "ok, go ahead", "SQLite", "it needs no server"),
    ("en", "sounds good, do it", "SQLite", "it needs no server"),
    ("vi", "ok, làm vậy đi", "SQLite", "không cần server"),
    ("vi", "đồng ý", "SQLite", "không cần server"),
    ("vi", "ok lam vay di", "SQLite", "không cần server"),
    ("zh", "好，就这样", "SQLite", "不需要服务器"),
    ("zh", "可以", "SQLite", "不需要服务器"),
    ("zh", "同意", "SQLite", "不需要服务器"),
]


@pytest.mark.parametrize(("before", "said", "text", "reason"), AGREED, ids=lambda value: str(value)[:40])
def test_an_ok_is_the_proposal_it_agrees_to(before, said, text, reason):
    found = found_in(said, before=TWO_WAYS[before])

    assert told(found) == [(text, reason)]
    assert found[0].status is Status.ACCEPTED
    assert (found[0].found_by, found[0].place.turns_back) == ("agreement", 1)
    assert found[0].evidence.endswith(f"→ {said}")


OPEN = [
    ("yes", "Done. Would you like me to run the tests?"),
    ("yes", "All green. Shall I continue with the next task?"),
    ("ok", "I fixed the typo."),
    ("ok", "Should I use Redis or SQLite?"),
    ("is it ok?", "I recommend SQLite. Shall I go ahead?"),
    ("no", "I recommend SQLite. Shall I go ahead?"),
    ("ok", "Mình sửa xong rồi. Bạn có muốn mình chạy test không?"),
    ("好的", "改好了。需要我继续吗？"),
    ("7", TWO_WAYS["en"]),
    ("option c", TWO_WAYS["letters"]),
]


@pytest.mark.parametrize(("said", "before"), OPEN, ids=lambda value: value[:40])
def test_an_ok_without_a_proposal_decides_nothing(said, before):
    assert found_in(said, before=before) == []


REPORTED = [
    (
        "I decided to keep the old API because clients depend on it.",
        "I decided to keep the old API",
        "clients depend on it",
    ),
    ("**Decision:** keep JSON.", "Decision: keep JSON", ""),
    ("I went with a table instead of branches.", "I went with a table instead of branches", ""),
    ("I intentionally left the cache out.", "I intentionally left the cache out", ""),
    ("Mình chọn SQLite vì gọn nhẹ.", "Mình chọn SQLite", "gọn nhẹ"),
    ("**Quyết định:** giữ nguyên API cũ.", "Quyết định: giữ nguyên API cũ", ""),
    ("我选择了SQLite，因为更简单。", "我选择了SQLite", "更简单"),
    ("最终决定保留旧接口。", "最终决定保留旧接口", ""),
]


@pytest.mark.parametrize(("said", "text", "reason"), REPORTED, ids=lambda value: str(value)[:40])
def test_what_an_assistant_decides_is_proposed(said, text, reason):
    answer = f"Done.\n\n{said} It works now."

    found = found_in("fix it", answer)

    assert told(found) == [(text, reason)]
    assert (found[0].by, found[0].status) == ("assistant", Status.PROPOSED)
    assert answer[found[0].place.offset :].startswith(said.split(".")[0])


@pytest.mark.parametrize(
    "said",
    [
        "The function returns null instead of throwing.",
        "You could use Redis instead of SQLite.",
        "I'll read the file first.",
        "Let me decide after the tests.",
        "Bạn có thể dùng Redis thay vì SQLite.",
        "你可以用Redis代替SQLite。",
        "Users pick a colour in the settings.",
    ],
)
def test_what_an_assistant_explains_decides_nothing(said):
    assert found_in("fix it", said) == []


def test_the_same_words_decomposed_decide_the_same():
    said = "dùng SQLite thay vì Postgres vì ít hạ tầng"

    assert told(found_in(unicodedata.normalize("NFD", said))) == told(found_in(said))


def test_what_a_long_message_says_is_only_proposed():
    found = found_in("let's go with SQLite because it is small\n" + "a pasted line of a log\n" * 80)

    assert [one.status for one in found] == [Status.PROPOSED]


FRAGMENTS = st.sampled_from(
    [
        "dùng SQLite thay vì Redis",
        "不要用Redis，改用SQLite",
        "let's go with",
        " instead of ",
        "\n",
        "```",
        "`x`",
        "> ",
        "1. ",
        "?",
        "\x00",
        "ok",
        "2",
        "**",
        "decided",
        "„“",
        "́",
        "İ",
        "…",
        "𝕏",
        "(",
        "[a](b)",
        "vì ",
        "因为",
        "：",
        "..",
        "/cmd ",
    ]
)


@given(
    user=st.lists(FRAGMENTS, max_size=12),
    answer=st.lists(FRAGMENTS, max_size=12),
    before=st.lists(FRAGMENTS, max_size=12),
)
def test_whatever_is_said_what_is_found_leads_back_to_its_place(user, answer, before):
    said, told_back, earlier = "".join(user), "".join(answer), "".join(before)
    words = {(Side.USER, 0): said, (Side.ASSISTANT, 0): told_back, (Side.ASSISTANT, 1): earlier}

    found = found_in(said, told_back, earlier)

    assert found == found_in(said, told_back, earlier)
    for one in found:
        assert one.text
        assert len(one.text) <= 300
        assert len(one.evidence) <= 500
        assert 0 <= one.place.offset < len(words[one.place.side, one.place.turns_back])
        assert one.confidence < 1


def test_what_is_said_in_a_megabyte_is_only_proposed():
    found = found_in("let's use " + "a " * 500_000, "decided " * 100_000)

    assert {one.status for one in found} <= {Status.PROPOSED}


@pytest.mark.parametrize(
    ("led", "told"),
    [
        ("Using a pointer so:", "State: Using a pointer"),
        ("Dùng con trỏ vì:", "State: Dùng con trỏ"),
        ("用指针，因为：", "State: 用指针"),
    ],
)
def test_what_was_laid_out_does_not_end_in_the_word_that_led_to_a_list(led, told):
    answer = f"**State:**\n\n{led}\n- nil is active\n- set is closed\n\nDoes this look right so far?"

    (found,) = find("yes", [], Context.of(Exchange(user="go on", assistant=answer)))

    assert (found.text, found.found_by) == (told, "agreement")
