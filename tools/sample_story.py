"""The sample conversation, step by step: Linh's shop learns to survive late and repeated payment callbacks.

Everyone and everything in it is made up.
"""

import sample_files as files
from sample_steps import (
    Call,
    Compacted,
    Mark,
    Prompt,
    Queued,
    Rewound,
    Say,
    Setting,
    Shell,
    Slash,
    SubAgent,
    Think,
    Title,
    Together,
    TurnEnd,
)

CWD = "/home/linh/shop"
CALLBACK = f"{CWD}/shop/payments/callback.py"
RETRY = f"{CWD}/shop/payments/retry.py"
TESTS = f"{CWD}/tests/payments/test_retry.py"
SCHEDULER = f"{CWD}/shop/jobs/scheduler.py"
WRITTEN = "File created successfully at: {} (file state is current in your context — no need to Read it back)"
EDITED = "The file {} has been updated successfully. (file state is current in your context — no need to Read it back)"


def bash(command: str, description: str, output: str, *, is_error: bool = False) -> Call:
    """Return a Bash call."""
    return Call("Bash", {"command": command, "description": description}, output, is_error=is_error)


def edit(path: str, old: str, new: str) -> Call:
    """Return an Edit call."""
    given = {"replace_all": False, "file_path": path, "old_string": old, "new_string": new}
    return Call("Edit", given, EDITED.format(path), files.edit_result(path, old, new))


def write(path: str, text: str) -> Call:
    """Return a Write call."""
    kept = {"type": "create", "filePath": path, "content": text, "structuredPatch": [], "originalFile": None}
    return Call("Write", {"file_path": path, "content": text}, WRITTEN.format(path), kept)


def read(path: str, text: str) -> Call:
    """Return a Read call."""
    return Call("Read", {"file_path": path}, files.numbered(text), files.read_result(path, text))


def grep(pattern: str, found: list[str]) -> Call:
    """Return a Grep call."""
    kept = {
        "mode": "content",
        "numFiles": 0,
        "filenames": [],
        "content": "\n".join(found),
        "numLines": len(found),
    }
    return Call("Grep", {"pattern": pattern, "output_mode": "content", "-n": True}, "\n".join(found), kept)


def ask(questions: list[dict[str, object]], answers: dict[str, str]) -> Call:
    """Return a question to the person, answered."""
    said = ", ".join(f'"{question}"="{answer}"' for question, answer in answers.items())
    output = (
        f"User has answered your questions: {said}. You can now continue with the user's answers in mind."
    )
    kept = {"questions": questions, "answers": answers}
    return Call("AskUserQuestion", {"questions": questions}, output, kept, seconds=75)


def plan(text: str, path: str) -> Call:
    """Return a plan, approved."""
    output = (
        "User has approved your plan. You can now start coding. Start with updating your todo list if applicable\n\n"
        f"Your plan has been saved to: {path}\nYou can refer back to it if needed during implementation.\n\n"
        f"## Approved Plan:\n{text}"
    )
    kept = {"plan": text, "isAgent": False, "filePath": path}
    return Call("ExitPlanMode", {"plan": text}, output, kept, seconds=120)


def todo(*items: tuple[str, str, str]) -> Call:
    """Return a TodoWrite call: what, its state, what one sees while it is done."""
    todos = [{"content": what, "status": state, "activeForm": doing} for what, state, doing in items]
    output = (
        "Todos have been modified successfully. Ensure that you continue to use the todo list to track your "
        "progress. Please proceed with the current tasks if applicable"
    )
    return Call("TodoWrite", {"todos": todos}, output, {"oldTodos": [], "newTodos": todos})


WHERE = "Khoá idempotency (transaction_id) lưu ở đâu?"
AFTER = "Khi thử lại hết số lần mà vẫn lỗi thì làm gì?"
QUESTIONS: list[dict[str, object]] = [
    {
        "question": WHERE,
        "header": "Idempotency",
        "options": [
            {
                "label": "Bảng payment_events trong Postgres (Recommended)",
                "description": "Unique index trên transaction_id, cùng transaction với đơn hàng, không thêm hạ tầng",
            },
            {
                "label": "Redis SETNX với TTL 24 giờ",
                "description": "Nhanh, nhưng mất khoá khi Redis khởi động lại và shop chưa có Redis",
            },
        ],
        "multiSelect": False,
    },
    {
        "question": AFTER,
        "header": "Hết lượt",
        "options": [
            {"label": "Ghi vào bảng payment_dead_letters", "description": "Xem lại và chạy tay được"},
            {"label": "Báo vào kênh #payments", "description": "Một tin cho mỗi giao dịch"},
            {"label": "Huỷ đơn", "description": "Trả hàng về kho ngay"},
        ],
        "multiSelect": True,
    },
]
ANSWERS = {
    WHERE: "Bảng payment_events trong Postgres (Recommended)",
    AFTER: "Ghi vào bảng payment_dead_letters, Báo vào kênh #payments",
}

PLAN = """\
# Retry cho payment callback

## Mục tiêu
Một giao dịch chỉ được ghi nhận **một lần**, callback lỗi được thử lại, quá 24 giờ thì thôi.

## Các bước
1. Migration: bảng `payment_events` (unique `transaction_id`) và `payment_dead_letters`.
2. `shop/payments/retry.py`: `record_event`, `delay` (exponential backoff, jitter ±20%).
3. `callback.py`: ghi event trước, trùng thì trả 200 ngay và không gọi `mark_paid`.
4. Job `retry_failed_callbacks` trên scheduler có sẵn, mỗi 30 giây.
5. Test: callback trùng, khoảng chờ tăng dần, callback quá 24 giờ.

## Không làm
- Không thêm Redis, Celery hay queue mới.
- Không đổi API của order service."""

SUMMARY = """\
This session is being continued from a previous conversation that ran out of context. The summary below covers the \
earlier portion of the conversation.

Summary:
1. Primary Request and Intent:
   Linh asked for a retry of the payment callback of the shop: each transaction once, exponential backoff with jitter, \
six attempts, nothing older than 24 hours.
2. Key Decisions:
   - The idempotency key lives in Postgres (`payment_events`, unique `transaction_id`), not in Redis.
   - After the last attempt: `payment_dead_letters` and a message to #payments.
   - The existing APScheduler runs the retries; no Celery.
3. Files:
   - shop/payments/retry.py, shop/payments/callback.py, shop/jobs/scheduler.py, tests/payments/test_retry.py
4. Current Work:
   Running the full test suite and the linter before the commit."""

STEPS = (
    Slash("model", pause=5),
    Prompt(
        "Chào Claude! Mình đang làm lại phần callback thanh toán của shop. Cổng VNGate hay gọi lại chậm hoặc trả "
        "502, đơn bị treo ở trạng thái `pending`. Xem giúp mình `shop/payments/callback.py` đang xử lý thế nào, "
        "đã có retry chưa?",
        pause=20,
    ),
    Title("Retry cho payment callback của shop"),
    Think(
        "Linh wants to know how the callback is handled today and whether there is a retry. I'll read the file and "
        "look for anything that retries."
    ),
    Say("Để mình xem code hiện tại."),
    Together(
        (
            read(CALLBACK, files.CALLBACK_BEFORE),
            grep(
                "retry|idempot|transaction_id",
                [
                    "shop/payments/gateway.py:41:    transaction_id = payload['transaction_id']",
                    "docs/vngate.md:12:VNGate gọi lại tối đa 3 lần nếu không nhận được HTTP 200.",
                ],
            ),
        )
    ),
    Say(
        "Chưa có retry, và còn một vấn đề lớn hơn:\n\n"
        "| Việc | Hiện tại | Rủi ro |\n|---|---|---|\n"
        "| Kiểm tra chữ ký | ✅ `verify_signature` | – |\n"
        "| Callback trùng | ❌ gọi `mark_paid` mỗi lần | trừ kho nhiều lần |\n"
        "| Lỗi giữa chừng | ❌ trả 500, không ghi lại gì | đơn treo `pending` |\n\n"
        "Theo `docs/vngate.md`, VNGate **tự gọi lại tối đa 3 lần** nếu không nhận được 200. Nên trước khi thêm retry "
        "phải chống trùng (idempotency), nếu không càng thử lại càng sai."
    ),
    TurnEnd(),
    Prompt(
        "小雨 bên Order service vừa nhắn mình thế này, đọc giúp rồi nói mình cần làm gì nhé:\n\n"
        "> Linh，网关的回调有时候会重复发送。昨天晚上同一个 transaction_id 我这边收到了三次，库存也扣了三次 😭\n"
        "> 重试之前一定要先做幂等，不然越重试越糟。\n"
        "> 另外，超过 24 小时的回调就不要再处理了，财务那边是 T+1 对账。\n",
        pause=160,
    ),
    bash(
        "git log --oneline -5 -- shop/payments && git grep -n deduct_stock",
        "Recent changes of payments and where stock is deducted",
        "8c1f0aa payments: verify the signature before anything else\n51be772 payments: first version of the callback\n"
        "shop/orders.py:58:    deduct_stock(order)",
    ),
    Say(
        "小雨 báo 3 ý:\n\n"
        "1. **Callback bị gửi trùng**: tối qua cùng một `transaction_id` tới 3 lần, kho bị trừ 3 lần. Đúng là do "
        "`mark_paid` → `deduct_stock` (`shop/orders.py:58`) không kiểm tra gì.\n"
        "2. **Làm idempotency trước, retry sau.** Mình đồng ý.\n"
        "3. **Callback quá 24 giờ thì bỏ qua**, vì finance đối soát T+1.\n\n"
        "Trả lời bạn ấy được luôn: 「收到，我们先做幂等（按 transaction_id 去重），再加重试；超过 24 小时的回调不再处理。」"
    ),
    TurnEnd(),
    Prompt(
        "ok vay khoa idempotency nen luu o dau? redis hay postgres? minh khong muon them ha tang moi",
        pause=70,
    ),
    Think(
        "Two questions are really open: where the key lives, and what happens when all attempts failed. Let me ask "
        "both at once with options."
    ),
    ask(QUESTIONS, ANSWERS),
    Say(
        "Chốt nhé:\n\n"
        "- **Khoá idempotency**: bảng `payment_events` trong Postgres, unique index trên `transaction_id`. Ghi cùng "
        "một transaction với đơn hàng nên không thể lệch nhau.\n"
        "- **Hết lượt thử**: ghi vào `payment_dead_letters` và báo kênh `#payments`. Không tự huỷ đơn."
    ),
    TurnEnd(),
    Prompt(
        "Good. Write a plan first, don't touch the code yet. Exponential backoff with jitter, at most 6 attempts, "
        "give up after 24 hours. Check what we already have for background jobs.",
        pause=100,
    ),
    SubAgent(
        kind="Explore",
        description="Find background jobs",
        prompt="How are background jobs scheduled in this repository? Report the library, where it is configured, and "
        "whether jobs survive a restart. Do not change anything.",
        steps=(
            grep(
                "scheduler|celery|apscheduler",
                ["shop/jobs/scheduler.py:4:from apscheduler.schedulers.background"],
            ),
            read(SCHEDULER, files.SCHEDULER),
        ),
        report="Background jobs run on **APScheduler** (`shop/jobs/scheduler.py`), a `BackgroundScheduler` with a "
        "SQLAlchemy job store in the shop's Postgres, so jobs survive a restart. Two jobs exist: `nightly_report` "
        "and `restock_alert`. There is no Celery and no Redis in the repository.",
    ),
    plan(PLAN, "/home/linh/.claude/plans/calm-drifting-lantern.md"),
    todo(
        ("Migration payment_events, payment_dead_letters", "completed", "Writing the migration"),
        ("retry.py: record_event và delay", "in_progress", "Writing retry.py"),
        ("callback.py: ghi event trước", "pending", "Changing callback.py"),
        ("Job retry_failed_callbacks", "pending", "Adding the job"),
        ("Test callback trùng", "pending", "Writing tests"),
    ),
    write(RETRY, files.RETRY),
    edit(CALLBACK, files.CHECK_BEFORE, files.CHECK_AFTER),
    Say(
        "Plan được duyệt, mình viết `shop/payments/retry.py` và cho `callback.py` ghi event trước. Khoảng chờ: `delay(n) = 30 s × 4ⁿ⁻¹`, jitter ±20%:"
        "\n\n```python\npause = BASE * FACTOR ** (attempt - 1)\njitter = (rng or random).uniform(0.8, 1.2)\n```\n\n"
        "Tổng 6 lần khoảng 11 giờ 22 phút, dưới mốc 24 giờ."
    ),
    TurnEnd(),
    Prompt(
        "[Image #1] dashboard tối qua nè, cột đỏ là 502 phải không? cao nhất lúc mấy giờ vậy",
        files.chart(),
        pause=240,
    ),
    Say(
        "Đúng rồi, cột đỏ là lỗi **502** từ VNGate, cột xanh là tổng số request theo giờ. Lỗi bắt đầu tăng lúc 19:00, "
        "cao nhất khoảng **21:00** rồi giảm dần sau 22:00. Trùng với giờ 小雨 nhận callback 3 lần, nên nhiều khả năng "
        "VNGate quá tải và tự gửi lại."
    ),
    TurnEnd(),
    Prompt("viết test đi nhé, nhất là trường hợp callback trùng 3 lần như 小雨 kể", pause=80),
    write(TESTS, files.TESTS),
    bash("pytest -q tests/payments/test_retry.py", "Run the new tests", files.FAILED, is_error=True),
    Queued("nhớ ghi log cả số lần retry nữa nha"),
    Think(
        "Stock went from 10 to 7: the event is stored once, but `record_event` returns True each time, so mark_paid "
        "runs three times. ON CONFLICT DO NOTHING needs RETURNING to know whether a row was inserted."
    ),
    Say(
        "Test bắt được lỗi thật: event chỉ ghi một lần nhưng `record_event` luôn trả `True`, nên kho vẫn bị trừ 3 lần "
        "(10 → 7). Sửa bằng `RETURNING id`, và thêm log số lần retry như bạn vừa nhắn."
    ),
    edit(RETRY, files.RECORD_BEFORE, files.RECORD_AFTER),
    edit(RETRY, files.LOG_BEFORE, files.LOG_AFTER),
    bash("pytest -q tests/payments/test_retry.py", "Run the new tests again", files.PASSED),
    Say(
        "Xanh hết: 3 passed ✅. Log mỗi lần thử có dạng:\n\n"
        "```\npayment callback TX-1001: attempt 2 of 6\n```"
    ),
    TurnEnd(),
    Prompt(
        "Linh 去开会了，我是小雨，借她的窗口问一下：重试用的是固定间隔还是指数退避？最长会等多久？我要写进给财务的说明里。",
        pause=300,
    ),
    Say(
        "你好小雨！用的是**指数退避**（exponential backoff），每次间隔是上一次的 4 倍，再加 ±20% 的随机抖动：\n\n"
        "| 第几次重试 | 间隔 | 累计 |\n|--:|--:|--:|\n| 1 | 30 秒 | 30 秒 |\n| 2 | 2 分钟 | 2 分 30 秒 |\n"
        "| 3 | 8 分钟 | 10 分 30 秒 |\n| 4 | 32 分钟 | 42 分 30 秒 |\n| 5 | 2 小时 8 分 | 2 小时 50 分 |\n"
        "| 6 | 8 小时 32 分 | 11 小时 22 分 |\n\n"
        "加上抖动，最长约 13 小时 40 分钟，不会超过 24 小时。六次都失败的回调会写入 `payment_dead_letters` 并通知 "
        "#payments，不会自动取消订单，所以不影响财务的 T+1 对账。"
    ),
    TurnEnd(),
    Mark("before celery"),
    Prompt("thêm luôn Celery để chạy retry worker đi, cho nó chuyên nghiệp", pause=400),
    bash("pip index versions celery | head -1", "Newest version of Celery", "celery (5.5.3)"),
    Say(
        "Thêm được, nhưng Celery cần một broker (Redis hoặc RabbitMQ), tức là thêm hạ tầng mới, trái với plan đã duyệt. "
        "Bạn có chắc không?"
    ),
    TurnEnd(),
    Rewound("before celery"),
    Prompt("thôi khỏi Celery, dùng luôn APScheduler đang có sẵn. hạ tầng càng ít càng tốt", pause=60),
    edit(SCHEDULER, files.JOB_BEFORE, files.JOB_AFTER),
    Say(
        "Quyết định: dùng **APScheduler** có sẵn. Mình thêm job `retry_failed_callbacks` chạy mỗi 30 giây, "
        "`max_instances=1` để không chạy chồng nhau, `coalesce=True` để gộp các lượt bị lỡ khi app khởi động lại."
    ),
    TurnEnd(),
    Slash(
        "review-diff",
        "shop/payments",
        "Review the uncommitted changes under the given path. Look for races, lost updates and missing tests. Be brief."
        "\n\nARGUMENTS: shop/payments",
    ),
    bash(
        "git diff --stat -- shop/payments",
        "Size of the change",
        " shop/payments/callback.py | 14 +++++++++-----\n shop/payments/retry.py    | 41 +++++++++++++++++++++++++++++\n"
        " 2 files changed, 50 insertions(+), 5 deletions(-)",
    ),
    Say(
        "Review of `shop/payments`:\n\n"
        "1. **Race**: two identical callbacks at the same moment are safe: the unique index lets one `INSERT` win, the "
        "other gets no row back and answers 200.\n"
        "2. **Lost update**: `record_event` and `mark_paid` share one database transaction. If `mark_paid` fails, the "
        "event is rolled back and the retry sees it as new.\n"
        "3. **Missing test**: nothing covers a crash *between* the two. I suggest one with `mark_paid` raising once."
    ),
    TurnEnd(),
    Prompt("chay full test voi lint di roi commit nha, commit message bang tieng Anh", pause=150),
    bash(
        "pytest -q && ruff check .",
        "Run all tests and the linter",
        "........................................................................ [ 58%]\n"
        "....................................................                     [100%]\n"
        "124 passed in 18.32s\nAll checks passed!",
    ),
    Compacted(SUMMARY),
    bash(
        'git add -A && git commit -q -m "payments: retry callbacks with backoff, each transaction once" && git log '
        "--oneline -1",
        "Commit",
        "e41c9d2 payments: retry callbacks with backoff, each transaction once",
    ),
    Say(
        "124 test xanh, lint sạch. Đã commit `e41c9d2`: *payments: retry callbacks with backoff, each transaction once*."
    ),
    TurnEnd(),
    Shell(
        "git show --stat --oneline HEAD",
        "e41c9d2 payments: retry callbacks with backoff, each transaction once\n migrations/0042_payment_events.sql | 19 ++++\n"
        " shop/jobs/scheduler.py            |  1 +\n shop/payments/callback.py         | 14 ++-\n"
        " shop/payments/retry.py            | 41 ++++++++\n tests/payments/test_retry.py      | 31 ++++++\n"
        " 5 files changed, 101 insertions(+), 5 deletions(-)",
    ),
    Prompt(
        "soạn giúp mình tin nhắn ngắn gửi 小雨 (tiếng Trung) với team finance (English), báo là xong rồi",
        pause=120,
    ),
    Say(
        "**Gửi 小雨:**\n\n> 小雨，支付回调的重试已经上线到测试环境：按 transaction_id 去重，重复回调只处理一次；失败的回调"
        "按指数退避最多重试 6 次；超过 24 小时的不再处理。麻烦明天帮忙核对一下库存 🙏\n\n"
        "**To finance:**\n\n> Hi all, payment callbacks are now retried automatically (6 attempts, within 24 hours) and "
        "every transaction is counted once. Callbacks that still fail are listed in `payment_dead_letters` for the T+1 "
        "reconciliation. Nothing changes in your daily report."
    ),
    TurnEnd(),
    Prompt("tuyệt vời 🎉 mai làm tiếp phần dashboard đối soát nha. cảm ơn Claude!", pause=90),
    Say(
        "Vui quá! Mai mình bắt đầu từ dashboard đối soát: số callback trùng, số lần thử lại và danh sách "
        "`payment_dead_letters` theo ngày. Chúc Linh buổi tối vui vẻ 🌙"
    ),
    TurnEnd(),
)

SETTING = Setting(
    session="5d0c7a52-3f0e-4b7e-9a41-2c6f8e1b7d90",
    cwd=CWD,
    branch="feature/payment-retry",
    version="2.1.237",
    model="claude-opus-4-8",
    slug="calm-drifting-lantern",
    begins="2026-09-14T07:32:11.204+00:00",
    steps=STEPS,
)
