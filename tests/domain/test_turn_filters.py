"""Which turns are nothing but our own command, and the near misses that are kept (SPEC 1.2)."""

import unicodedata

import pytest

from awf_archive.domain.filters import skip_reason
from awf_archive.domain.ids import Digest, TurnId
from awf_archive.domain.transcript import (
    Attachment,
    Note,
    NoteKind,
    Outline,
    Start,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Turn,
)

TABLE_ZH = """✅ **保存完成！**

| 项目 | 值 |
|------|-----|
| 功能 | block-user-personal-chat |
| 会话 | session-002 |
| 保存轮数 | 10 轮 |
| 全局编号 | 第16-25轮 |
| 摘要 | ✅ 已生成 chunk-001 (第1-15轮) |

**建议**：新开窗口执行恢复继续工作。"""
TABLE_EN = """✅ **Checkpoint saved!**

| Item | Value |
|------|-----|
| Feature | login |

**Next**: open a new window and resume there."""
TABLE_VI = """✅ **Đã lưu checkpoint!**

| Mục | Giá trị |
|------|-----|
| Tính năng | login |

**Gợi ý**: mở cửa sổ mới rồi resume để làm tiếp."""
RESUMED = "# 恢复: block-user\n\n## 📊 状态概览\n\n| 功能 | block-user |\n\n## 📝 最近对话 (会话-003)\n### 第25轮\n**用户**: x"
FORM = """这是保存页面：

```html
<form><p>保存完成</p></form>
```"""


def _turn(prompt, *assistant, start=Start.PROMPT, user=None):
    outline = Outline(id=TurnId("1"), start=start, time="", prompt_digest=Digest(""), fingerprint=Digest(""))
    blocks = tuple(Text(text=one) if isinstance(one, str) else one for one in assistant)
    return Turn(outline=outline, user=user or (Text(text=prompt),), assistant=blocks)


def _call(name, result="ok", **given):
    return ToolCall(id="t", name=name, input=given, result=ToolResult(blocks=(Text(text=result),)))


SAVE = _call("Bash", command="awf-archive checkpoint --feature login")
WORK = _call("Bash", command="npm test")
WRITE = _call("Write", file_path="/w/src/a.py", content="x")
CONTEXT = _call(
    "Write", file_path="/w/.claude/spec-workflow/specs/login/.context/manifest.json", content="{}"
)

SKIPPED = {
    "the seed's own example": _turn("保存", "执行保存..."),
    "zh with a slash": _turn("/保存", "正在保存"),
    "zh resume": _turn("恢复", "恢复中…"),
    "zh with end punctuation": _turn("保存。", TABLE_ZH),
    "zh with a feature name": _turn("保存 block-user", TABLE_ZH),
    "en": _turn("save", TABLE_EN),
    "en in capitals": _turn("SAVE!", TABLE_EN),
    "en checkpoint": _turn("checkpoint", SAVE, TABLE_EN),
    "en with a slash": _turn("/checkpoint", SAVE, TABLE_EN),
    "en without any reply": _turn("checkpoint"),
    "resume with its text": _turn("resume block-user", RESUMED),
    "vi with marks": _turn("lưu", "Đang lưu checkpoint...", TABLE_VI),
    "vi without marks": _turn("luu", TABLE_VI),
    "vi decomposed": _turn(unicodedata.normalize("NFD", "Lưu"), TABLE_VI),
    "vi report decomposed": _turn("lưu", unicodedata.normalize("NFD", TABLE_VI)),
    "our recap": _turn("/recap deep", "👋 Chào mừng trở lại!\n\n📍 Project: x"),
    "our slash command": _turn("/awf-checkpoint", SAVE, TABLE_EN, start=Start.COMMAND),
    "our plugin's command": _turn("/awf:resume login", RESUMED, start=Start.COMMAND),
    "files of the archive written by the skill": _turn("保存", CONTEXT, TABLE_ZH),
    "thinking about the save": _turn("保存", Thinking(text="I should save."), TABLE_ZH),
    "what the tool adds beside it": _turn(
        "保存", Note(kind=NoteKind.CONTEXT, text="a skill's text"), SAVE, TABLE_ZH
    ),
    "nothing new to save": _turn("checkpoint", SAVE, "Nothing new to save."),
    "announced, done, reported": _turn("保存", "好的，执行保存", SAVE, TABLE_ZH),
    "a reply that is nothing but the table": _turn("存一下吧", TABLE_ZH),
    "a reply that is nothing but the resume text": _turn("继续昨天的", RESUMED),
}

KEPT = {
    "zh: a form that shows the words": _turn("写一个保存页面", FORM),
    "zh: a file written beside the report": _turn("把设计写到文件", "保存完成，我改了 design.md 和 api.md。"),
    "zh: the headline alone, which may be the answer to anything": _turn("存到数据库", "✅ **保存完成！**"),
    "zh: the words inside a longer report": _turn("保存", "保存完成，我顺便改了 design.md。"),
    "zh: saved and then worked": _turn("保存", SAVE, TABLE_ZH, WORK),
    "zh: a table with a discussion below": _turn(
        "保存", TABLE_ZH + "\n\n另外，接口设计还有一个问题：限流怎么做？"
    ),
    "zh: resume followed by work": _turn("恢复 block-user", RESUMED, WORK, "测试通过。"),
    "zh: resume followed by a text": _turn("恢复", RESUMED, "我看到还有三个任务，先做第一个：建表。"),
    "en: half an hour of work after resume": _turn("resume", "I continued with the API.", WRITE, WORK),
    "en: save as part of a request": _turn("save the file to disk", WRITE, "Saved."),
    "en: save report without an answer": _turn("save report"),
    "en: a question about saving": _turn("save?", "Do you mean the file or the session?"),
    "en: shell command of that name": _turn("save", "saved", start=Start.SHELL),
    "en: reads the words as a text": _turn("print it", "The log says: Checkpoint saved!"),
    "vi: save a file": _turn("lưu file này lại", WRITE, "Đã lưu."),
    "vi: a word that begins alike": _turn("lưu ý phần này nhé", "Vâng."),
    "vi: saved and a question": _turn("lưu", TABLE_VI + "\n\nBạn muốn tôi viết test luôn không?"),
    "an ordinary turn": _turn("帮我设计API", "好的..."),
    "a command with an image": _turn(
        "",
        TABLE_ZH,
        user=(Text(text="保存"), Attachment(file="a.png", media_type="image/png", name="", size=1)),
    ),
    "a long message that ends in a save": _turn("设计如下：\n1. 表结构\n2. 接口\n保存", TABLE_ZH),
    "a message with code": _turn("`x = 1` 保存", TABLE_ZH),
    "an answer that was cut short": _turn("帮我设计API"),
    "a failed save": _turn("保存", SAVE, "无法保存：磁盘已满，请清理后再试。"),
    "an error of the tool": _turn("保存", Note(kind=NoteKind.ERROR, text="API Error: 529")),
    "our program with more behind it": _turn(
        "save", _call("Bash", command="awf-archive checkpoint && rm -rf build")
    ),
    "another program's checkpoint": _turn("checkpoint", _call("Bash", command="git commit -am checkpoint")),
    "a path that only looks like ours": _turn(
        "保存", _call("Write", file_path="/w/my.context/a.md", content="x")
    ),
}


@pytest.mark.parametrize("turn", SKIPPED.values(), ids=SKIPPED)
def test_a_turn_of_nothing_but_our_command_is_skipped_with_a_reason(turn):
    assert skip_reason(turn) in ("command", "report")


@pytest.mark.parametrize("turn", KEPT.values(), ids=KEPT)
def test_a_near_miss_is_kept(turn):
    assert skip_reason(turn) is None
