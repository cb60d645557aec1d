"""What a session is called: the tool's own title, unless it tells nothing (domain/summary/weak_titles.py)."""

import pytest

from awf_archive.domain.summary import best_title
from awf_archive.domain.summary.weak_titles import WEAK_TITLES, is_weak

WEAK = {
    "a tool's name for what has none": [
        *("New Chat", "new chat 3", "Untitled", "Untitled Chat", "(no title)", "session", "Session 12"),
        *("New Composer", "Chat with Claude", "Claude Code session", "GitHub Copilot", "Conversation"),
        *("Cuộc trò chuyện mới", "Đoạn chat mới", "Chưa đặt tên", "Không có tiêu đề", "Phiên làm việc mới"),
        *("新对话", "新建聊天", "未命名", "无标题对话", "会话3"),
    ],
    "a greeting or thanks": [
        *("hi", "Hello!", "Hey there", "Good morning", "thank you", "Thanks a lot!", "Friendly greeting"),
        *("Xin chào", "Chào bạn!", "cảm ơn bạn", "alo", "你好", "您好！", "早上好", "谢谢你"),
    ],
    "going on, or agreeing": [
        *(
            "continue",
            "Please continue.",
            "yes",
            "ok",
            "yeah let's do it",
            "ok, go ahead",
            "try again",
            "next",
        ),
        *("Can we continue from where we left off?", "pick up where we left off"),
        *("tiếp tục", "Ok tiếp đi", "làm tiếp đi nhé", "được rồi", "ok làm đi", "Vâng, đồng ý"),
        *("继续", "好的，继续", "继续吧", "可以", "接着做", "继续上次的工作"),
    ],
    "a command alone": ["/init", "/clear", "!ls", "/awf:checkpoint"],
    "a file, a folder or an address alone": [
        *("main.py", "@README.md", "src/app/main.ts", "/home/an/shop", "~/work", r"C:\work\shop"),
        *("https://example.com/a?b=1", "Screenshot 2026-01-02 at 10.11.12.png", "image.png", "截图 3"),
    ],
    "an id or a date": [
        *(
            "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
            "a81f3c0",
            "ses_7d1fa2",
            "session-001",
            "rollout-2026-01-02",
        ),
        *("2026-01-02 10:11", "2026-01-02T10:11:12Z", "12", ""),
    ],
}
STRONG = [
    *(
        "Fix the login",
        "OAuth",
        "jcode-fork-adoption-plan",
        "New chat window for the shop",
        "Session handling",
    ),
    *("Test the export command", "Claude Code hooks", "Continue the migration to Postgres", "Go generics"),
    *(
        "/orchestrator @CLAUDE.md の更新",
        "fix main.py",
        "Hello world in Rust",
        "feat/oauth-login",
        "GPT-4 costs",
    ),
    *(
        "Next.js routing",
        "Default values of settings",
        "thanks to the cache it is fast",
        "Average Distance in U(0,1)",
    ),
    *(
        "Sửa lỗi đăng nhập",
        "Tiếp tục phần báo cáo doanh thu",
        "Chào hàng qua email",
        "Phiên đăng nhập hết hạn",
    ),
    *("修复登录错误", "新对话接口设计", "继续设计拉黑接口", "测试导出功能", "会话管理", "对话框样式"),
]


@pytest.mark.parametrize(
    ("kind", "title"), [(kind, title) for kind, titles in WEAK.items() for title in titles]
)
def test_a_weak_title_is_known_by_its_row(kind, title):
    assert kind in WEAK_TITLES
    assert is_weak(title)


@pytest.mark.parametrize("title", STRONG)
def test_a_title_that_tells_something_is_not_weak(title):
    assert not is_weak(title)


PROMPTS = ["hi", "Add an export command to the CLI", "continue"]
CHOSEN = {
    "the tool's own": (["Export for the CLI", "older"], PROMPTS, "Export for the CLI"),
    "the session's, when the tool's is weak": (["New Chat", "older one here"], PROMPTS, "older one here"),
    "ours, when both are weak": (["New Chat", "hi"], PROMPTS, "Add an export command to the CLI"),
    "ours, without any": (["", ""], PROMPTS, "Add an export command to the CLI"),
    "the tool's, when there is no other": (["New Chat", ""], [], "New Chat"),
    "not a greeting among prompts": ([""], ["good morning everyone", "Redis?"], "Redis?"),
}


@pytest.mark.parametrize(("given", "prompts", "expected"), CHOSEN.values(), ids=CHOSEN)
def test_the_best_title_is_taken(given, prompts, expected):
    assert best_title(given, prompts) == expected


def test_no_title_takes_long_to_judge():
    for title in ("a/" * 20_000, "ok, " * 20_000, "1 " * 20_000, "继续" * 20_000, "yes" * 20_000 + "x"):
        is_weak(title)
