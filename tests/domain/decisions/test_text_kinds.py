"""The kinds of saying that decide, in sentences that stand in no labelled conversation, and what decides nothing."""

import pytest

from awf_archive.domain.decisions import Context, Exchange, Found, Status
from awf_archive.domain.decisions.text import find
from awf_archive.domain.decisions.text_cues import RULE
from awf_archive.domain.decisions.text_speech import seeds, speeches
from awf_archive.domain.transcript import Text


def found_in(user: str = "", answer: str = "") -> list[Found]:
    return list(find(user, [Text(text=answer)] if answer else [], Context()))


CHOSEN = [
    # use, keep, leave out, rename
    "use snake_case for json keys",
    "keep backwards compatibility with v1",
    "rename Foo to Bar",
    "skip IE support",
    "no popups please",
    "leave caching for the next release",
    "don't make this configurable",
    "replace moment with dayjs",
    "convert everything to typescript",
    # how things are to be
    "the endpoint should return 404 when the user is unknown",
    "it must never delete user files",
    "the API key has to come from an env var",
    "for the mvp we only need email login",
    "default page size is 20",
    "the prefix is awf-",
    "one file per component",
    "limit uploads to 10 MB",
    "tests go next to the code",
    "only admins can delete projects",
    "just return null if it's not found",
    "add a --dry-run flag",
    "bỏ hỗ trợ IE",
    "mật khẩu phải hash bằng argon2",
    "banner chỉ hiện một lần",
    "trang này không cần animation",
    "đặt tên package là shopkit",
    "token hết hạn sau 15 phút",
    "helper thì để vào utils/strings.ts",
    "v2 mới có team, v1 một người dùng thôi",
    "ko dung graphql nua",
    "密码必须用 argon2 加密",
    "这个页面不要动画",
    "上传限制 10MB",
    "包名叫 shopkit",
    "测试放在代码旁边",
    "只有管理员能删项目",
    "缓存放到下个版本",
    "跟 orders 保持一致",
    "缺失值按 0 处理",
]


@pytest.mark.parametrize("said", CHOSEN)
def test_a_user_who_says_how_it_is_to_be_decides(said):
    (found,) = found_in(said)

    assert (found.by, found.found_by, found.status) == ("user", "statement", Status.PROPOSED)
    assert found.evidence == said


NOTHING = [
    "fix the failing test in auth",
    "run the tests again",
    "I get a 500 error when I click save",
    "add a unit test for the parser",
    "users need to scroll to see the table",
    "this should work but it doesn't",
    "make it work",
    "let's see what happens",
    "don't write any code yet",
    "just show me where it happens",
    "if it is slow we should use Redis",
    "throw new Error('not yet implemented');",
    "sửa giúp mình lỗi đăng nhập",
    "vẫn không chạy được",
    "mình không hiểu lỗi này",
    "kiểm tra xem server có chạy không",
    "修一下登录的 bug",
    "还是不行",
    "检查服务器有没有在跑",
    "每一步一页还是只留最后一步",
]


@pytest.mark.parametrize("said", NOTHING)
def test_work_complaints_and_doubts_decide_nothing(said):
    assert found_in(said) == []


RULES = [
    # whatever the case
    "every export gets a timestamp in its name",
    # how a thing behaves
    "the sidebar stays open after a reload",
    # this, and not that
    "badges next to the title, not over the picture",
    "we ship the german texts only",
    # said shortly
    "filenames: lower case, hyphens, no spaces",
    # tiếng Việt
    "đơn quá 3 ngày thì tự chuyển sang huỷ",
    "don qua 3 ngay thi tu chuyen sang huy",
    "mọi ảnh đều nén trước khi tải lên",
    "khách xem được menu thôi",
    "mục khuyến mãi bỏ đi",
    "mã giảm giá sống 30 ngày",
    "không popup ở trang đầu",
    # 中文
    "每个订单都要写备注",
    "验证码 5 分钟内有效",
    "短信这块这期砍掉",
    "头像没传的显示默认图",
    "列表标题直接居中",
    "运费按第一版的算法就行",
    "客服电话放大一号，链接去下划线",
    "redis 吧，反正已经装了",
]


@pytest.mark.parametrize("said", RULES)
def test_a_rule_that_is_said_as_plainly_as_a_fact_is_proposed(said):
    (found,) = found_in(said)

    assert (found.by, found.found_by, found.status) == ("user", "statement", Status.PROPOSED)


def test_in_a_long_message_words_that_only_rule_are_not_looked_for():
    vietnamese = speeches("mục khuyến mãi bỏ đi")

    assert found_in("mục khuyến mãi bỏ đi\n" * 100) == []
    assert set(seeds(vietnamese, "user")) < set(seeds(vietnamese, "user", RULE))


def test_a_rule_is_told_from_where_its_sentence_begins():
    (found,) = found_in("- trên điện thoại, mã giảm giá sống 30 ngày")

    assert found.text == "trên điện thoại, mã giảm giá sống 30 ngày"


TOLD = [
    "every request fails with a 502",
    "the sidebar stays open but I can't see why",
    "nothing happens when I click save",
    "the badge was blue yesterday",
    "my boss says the cart should be bigger",
    "it took 40 seconds on my machine",
    "make the tests pass on every platform",
    "refactor the parser into a class that takes 3 arguments",
    "thanks, all of it works now",
    "mỗi lần bấm là bị lỗi 500",
    "hôm qua vẫn chạy mà giờ mất 40 giây",
    "giúp mình xem tất cả các log",
    "my colleague says the badge never updates",
    "I'm not sure the queue drains",
    "每次点保存都报错",
    "昨天改完之后只剩一半数据",
    "帮我把所有测试跑一遍",
]


@pytest.mark.parametrize("said", TOLD)
def test_what_is_told_or_ordered_is_no_rule(said):
    assert found_in(said) == []


def test_beside_pasted_code_a_plain_sentence_is_no_rule():
    pasted = "mục khuyến mãi bỏ đi\nconst name = stamp(file);"

    assert found_in(pasted) == []


def test_a_rule_with_its_reason_is_still_only_proposed():
    (found,) = found_in("mã giảm giá sống 30 ngày vì kế toán yêu cầu")

    assert (found.reason, found.status) == ("kế toán yêu cầu", Status.PROPOSED)


def test_a_plain_answer_is_told_with_its_question_once():
    before = Exchange(user="build the export", assistant="Which format should the export have?")

    found = list(find("every row as json", [], Context.of(before)))

    assert [one.found_by for one in found] == ["answer"]


REPORTED = [
    "I kept the signature unchanged so callers don't break.",
    "I chose not to touch the legacy module.",
    "I did not add a new dependency.",
    "I'd suggest putting this behind a feature flag.",
    "The best approach is a single migration.",
    "The config lives in one file on purpose.",
    "I placed the parser in its own module to avoid a cycle.",
    "Mình tách parser ra module riêng để tránh vòng import.",
    "Mình không đụng module cũ.",
    "我保留了原来的签名，避免影响调用方。",
    "最好的做法是只写一个迁移。",
    "我把解析器放到单独的模块，避免循环依赖。",
    # it chose, and says against what or why
    "I went for a plain queue, since nothing here needs ordering.",
    "I picked `msgpack` for the wire; JSON doubled the size.",
    "I'd take the second one and ship it.",
    "One flat table is what I'd start from.",
    "The smaller model wins on latency.",
    # what it laid down, left as it was, or left out
    "Uploads are capped at 20 MB.",
    "The old route stays in place: two clients call it.",
    "I'd rather do the index in a change of its own.",
    "Ngày tháng hiển thị theo giờ máy chứ không theo giờ máy chủ.",
    "Tên cột giữ nguyên, nên báo cáo cũ vẫn chạy.",
    "Ảnh nén ngay lúc tải lên, không lưu bản gốc.",
    "列表按页加载，而不是一次取完。",
    "删除只打标记，不清数据。",
    "重试最多五次，退避到一分钟封顶。",
]


@pytest.mark.parametrize("said", REPORTED)
def test_an_assistants_choice_is_proposed(said):
    (found,) = found_in(answer=f"Done.\n\n{said}")

    assert (found.by, found.found_by, found.status) == ("assistant", "report", Status.PROPOSED)


@pytest.mark.parametrize(
    "said",
    [
        "I'll start by reading the file.",
        "The error occurs because the variable is undefined.",
        "Since the file does not exist, the loader fails.",
        "The cache stores results for 10 minutes.",
        "Lỗi là do biến chưa được khởi tạo.",
        "错误是因为变量没有定义。",
        "The handler reads the header, not the cookie.",
        "The rest of the code remains unchanged.",
        "Every request is logged by the proxy.",
        "We use a set to collect the names.",
        "The build failed because the cache was stale.",
        "Lỗi xảy ra vì thư mục không tồn tại.",
        "Hàm này đọc file rồi trả về danh sách.",
        "如果缓存没有命中，就会查数据库。",
        "测试没有通过，因为端口被占用。",
    ],
)
def test_what_an_assistant_found_out_is_no_choice(said):
    assert found_in(answer=f"Ok.\n\n{said}") == []


def test_of_a_message_that_is_mostly_pasted_the_typed_line_and_what_is_plain_count():
    pasted = "\n".join(f"- Use `--option-{number}` to change it" for number in range(60))

    found = found_in(f"just ignore this error\n{pasted}\nlet's go with SQLite")

    assert [(one.text, one.status) for one in found] == [
        ("ignore this error", Status.PROPOSED),
        ("let's go with SQLite", Status.PROPOSED),
    ]


def test_a_next_message_is_no_answer_to_a_question_of_the_users_own():
    before = Exchange(
        user="Should we use Redis or SQLite?", assistant="Redis is fast. SQLite needs no server."
    )

    found = list(
        find("here is what my colleague wrote about our servers, have a look", [], Context.of(before))
    )

    assert found == []


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("let's use SQLite", ["en"]),
        ("dùng SQLite đi", ["vi"]),
        ("dung SQLite di", ["vi", "en"]),
        ("就用 SQLite", ["zh"]),
        ("ok, please use SQLite, 谢谢", ["en", "zh"]),
    ],
)
def test_only_the_languages_of_a_text_are_tried(text, languages):
    assert [speech.cues.language for speech in speeches(text)] == languages


THREE = "Three ways:\n\n1. **Redis**: fast\n2. **SQLite**: no server\n3. **Files**: simple\n\nWhich do you prefer?"


def replied(said: str, before: str) -> list[tuple[str, str, Status]]:
    context = Context.of(Exchange(user="where does it go?", assistant=before))
    return [(one.found_by, one.text, one.status) for one in find(said, [], context)]


@pytest.mark.parametrize("said", ["sqlite", "the SQLite one", "let's do 2 first", "2 for now", "(2)"])
def test_an_option_is_picked_by_its_name_too(said):
    assert replied(said, THREE) == [("choice", "SQLite: no server", Status.ACCEPTED)]


@pytest.mark.parametrize(
    "said", ["2 and 3", "Redis with SQLite behind it", "anything without Redis", "not redis please"]
)
def test_who_names_two_options_or_denies_one_picks_none_of_them(said):
    assert [(by, status) for by, _, status in replied(said, THREE)] == [("answer", Status.PROPOSED)]


def test_a_list_of_questions_has_no_options():
    before = "Before I start:\n\n1. Per user or global?\n2. Which TTL?"

    assert [by for by, _, _ in replied("1: global, 2: ten minutes", before)] == ["answer"]


@pytest.mark.parametrize(
    "before",
    ["有两个选择。你想用哪个？", "Có hai cách. Bạn muốn dùng cái nào?", "Which one should I implement?"],
)
def test_an_open_question_offers_nothing_to_agree_to(before):
    assert [one for one in replied("ok", before) if one[0] == "agreement"] == []


def test_agreement_to_an_open_question_means_what_was_recommended():
    before = (
        "Two ways: polling or a socket. I recommend polling, it is simpler. Which one should I implement?"
    )

    assert replied("go with your suggestion", before) == [
        ("agreement", "polling, it is simpler", Status.ACCEPTED)
    ]
