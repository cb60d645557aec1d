"""Made-up Claude Code transcripts of any size, the same bytes for the same numbers."""

import json
import random
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

NAMESPACE = uuid.UUID("0b5f7a52-7d1e-4d8f-9a10-0d4b1f0e7c11")
BEGINS = datetime(2026, 1, 5, 1, 0, tzinfo=UTC)
TEXTS = {
    "vi": "thanh toán đơn hàng kho lỗi kiểm thử giao diện người dùng bảng dữ liệu tìm kiếm chặn tin nhắn cấu hình "
    "triển khai nhật ký bộ nhớ đệm chạy lại đồng bộ quyền truy cập phiên bản báo cáo hàng đợi",
    "en": "payment callback retry index cache migration schema queue worker timeout permission test failure "
    "refactor endpoint token session archive summary backoff deadlock rollback pipeline snapshot",
    "zh": "支付 回调 重试 幂等 索引 缓存 迁移 队列 超时 权限 测试 失败 重构 接口 会话 存档 摘要 退避 死锁 "
    "回滚 快照 用户 屏蔽 消息 配置",
}
WORDS = {language: text.split() for language, text in TEXTS.items()}
NAMES, SHARE = 30_000, 0.6
"""How many identifiers there are, and how many lines hold one. With these, 1 MB of transcript holds 45 000 words,
2 300 of them different; real files of Claude Code 2.1 hold 24 000 and 2 600."""
LANGUAGES = ("vi", "vi", "en", "zh")
FILES = (
    "shop/payments/retry.py",
    "shop/orders.py",
    "web/chat/list.tsx",
    "docs/design.md",
    "tests/test_retry.py",
)


def sentence(rng: random.Random, language: str, words: int) -> str:
    """Return words that nobody said, in one language."""
    glue = "" if language == "zh" else " "
    return glue.join(rng.choice(WORDS[language]) for _ in range(words))


def records(window: str, turns: int, seed: int, output: int) -> Iterator[dict[str, object]]:
    """Yield the records of a window: a prompt, a call with about `output` letters back, an answer."""
    rng = random.Random(seed)  # noqa: S311 -- a benchmark, not a secret
    parent: str | None = None
    now = BEGINS + timedelta(hours=seed * 7)
    for turn in range(turns):
        language = rng.choice(LANGUAGES)
        for kind, message in messages(rng, language, f"{seed}-{turn}", output):
            now += timedelta(seconds=rng.randint(2, 90))
            identity = str(uuid.uuid5(NAMESPACE, f"{window}/{turn}/{now.isoformat()}"))
            yield {
                "parentUuid": parent,
                "isSidechain": False,
                "type": kind,
                "message": message,
                "uuid": identity,
                "timestamp": now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                "userType": "external",
                "entrypoint": "cli",
                "cwd": "/home/linh/shop",
                "sessionId": window,
                "version": "2.1.237",
                "gitBranch": "main",
                "slug": "calm-drifting-lantern",
                **beside(message),
            }
            parent = identity


def messages(
    rng: random.Random, language: str, name: str, output: int
) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield a turn: who speaks, and the message."""
    yield "user", {"role": "user", "content": f"{sentence(rng, language, rng.randint(6, 40))} [{name}]"}
    path, tool = rng.choice(FILES), f"toolu_{name}"
    call = {"type": "tool_use", "id": tool, "name": "Read", "input": {"file_path": f"/home/linh/shop/{path}"}}
    yield "assistant", answer(f"msg_{name}a", call)
    body = "\n".join(line(rng) for _ in range(output // 70 + 1))
    yield "user", {"role": "user", "content": [{"type": "tool_result", "tool_use_id": tool, "content": body}]}
    text = "\n\n".join(f"- **{sentence(rng, language, 3)}**: {sentence(rng, language, 25)}" for _ in range(4))
    yield "assistant", answer(f"msg_{name}b", {"type": "text", "text": text})


def line(rng: random.Random) -> str:
    """Return a line as tools print them: few words often, identifiers seldom, most of those again and again."""
    words = sentence(rng, "en", 8)
    return (
        f"{words} {rng.choice(WORDS['en'])}_{int(NAMES * rng.random() ** 2)}"
        if rng.random() < SHARE
        else words
    )


def beside(message: dict[str, object]) -> dict[str, object]:
    """Return what stands beside a tool's result: the same once more, as the tool itself keeps it."""
    content = message["content"]
    if message["role"] == "user" and isinstance(content, list):
        return {"toolUseResult": {"stdout": content[0]["content"], "stderr": "", "interrupted": False}}
    return {}


def answer(identity: str, block: dict[str, object]) -> dict[str, object]:
    """Return an assistant's message with one block, and all the bookkeeping that comes with it."""
    once = {"input_tokens": 10, "output_tokens": 200, "cache_read_input_tokens": 52_772}
    kept = {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 2908}
    usage = {**once, "cache_creation_input_tokens": 2908, "cache_creation": kept, "service_tier": "standard"}
    usage["server_tool_use"] = {"web_search_requests": 0, "web_fetch_requests": 0}
    usage["iterations"] = [{**once, "cache_creation": kept, "type": "message"}]
    fixed = {"type": "message", "role": "assistant", "model": "claude-opus-4-8", "stop_reason": "end_turn"}
    more = {"stop_sequence": None, "stop_details": None, "diagnostics": None}
    return {"id": identity, **fixed, "content": [block], **more, "usage": usage}


def exported(number: int, turns: int = 14, words: int = 420) -> dict[str, object]:
    """Return a conversation as a ChatGPT export holds it, about 50 KB: a tree of messages without branches."""
    rng = random.Random(number)  # noqa: S311 -- a benchmark, not a secret
    ids = [str(uuid.uuid5(NAMESPACE, f"export {number} {at}")) for at in range(2 * turns + 1)]
    begins = (BEGINS + timedelta(minutes=number * 11)).timestamp()
    mapping: dict[str, object] = {
        ids[0]: {"id": ids[0], "message": None, "parent": None, "children": [ids[1]]}
    }
    for at, name in enumerate(ids[1:], 1):
        role, count = ("user", 20) if at % 2 else ("assistant", words)
        message = {
            "id": name,
            "author": {"role": role, "name": None, "metadata": {}},
            "create_time": begins + at * 30,
            "content": {"content_type": "text", "parts": [sentence(rng, rng.choice(LANGUAGES), count)]},
            "status": "finished_successfully",
            "metadata": {},
            "recipient": "all",
        }
        mapping[name] = {
            "id": name,
            "message": message,
            "parent": ids[at - 1],
            "children": ids[at + 1 : at + 2],
        }
    return {
        "title": sentence(rng, "en", 4),
        "create_time": begins,
        "update_time": begins + len(ids) * 30,
        "mapping": mapping,
        "current_node": ids[-1],
        "conversation_id": str(uuid.uuid5(NAMESPACE, f"conversation {number}")),
    }


def write(folder: Path, turns: int, seed: int, output: int = 600) -> Path:
    """Write one window's transcript; return its path."""
    window = str(uuid.uuid5(NAMESPACE, f"window {seed}"))
    path = folder / f"{window}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for record in records(window, turns, seed, output):
            file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
    return path
