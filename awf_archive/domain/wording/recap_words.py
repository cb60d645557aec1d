"""What `recap full`, `recap deep` and `status` say, in three languages (spec/wording.md).

The words of level 1 stand in `domain.recap`, which loads without this package.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RecapWords:
    """Headings of the deeper levels."""

    decisions: str
    tasks: str
    files: str
    skipped_tests: str
    errors: str
    save_points: str
    changes: str
    conversation: str
    user: str
    assistant: str
    more: str
    """With {n}: entries left out to keep the budget."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusWords:
    """One screen for a person: where the work stands."""

    project: str
    feature: str
    task: str
    status: str
    blocked: str
    next_step: str
    last_save: str
    by: str
    """With {trigger}: what made the last save."""
    never: str
    archive: str
    archived: str
    """With {turns}, {sessions} and {features}."""
    waiting: str
    waiting_value: str
    """With {turns} and {windows}: conversations with turns that are not in the archive."""
    nothing_waiting: str
    context: str
    context_value: str
    """With {tokens} and {level}."""
    levels: Mapping[str, str]
    """By warning level."""
    advice: str
    advice_start: str
    advice_checkpoint: str
    advice_new_window: str
    advice_go_on: str
    """With {step}."""


RECAP_WORDS: Mapping[str, RecapWords] = {
    "en": RecapWords(
        decisions="Recent decisions",
        tasks="To do",
        files="Files being edited",
        skipped_tests="Skipped tests",
        errors="Error history",
        save_points="Checkpoints (7 days)",
        changes="Recent changes",
        conversation="Latest conversation",
        user="User",
        assistant="Assistant",
        more="… {n} more",
    ),
    "vi": RecapWords(
        decisions="Quyết định gần đây",
        tasks="Việc cần làm",
        files="Files đang sửa",
        skipped_tests="Test bị bỏ qua",
        errors="Lịch sử lỗi",
        save_points="Checkpoints (7 ngày)",
        changes="Thay đổi gần đây",
        conversation="Hội thoại gần nhất",
        user="Người dùng",
        assistant="Trợ lý",
        more="… còn {n} mục",
    ),
    "zh": RecapWords(
        decisions="最近的决策",
        tasks="待办",
        files="正在修改的文件",
        skipped_tests="跳过的测试",
        errors="错误记录",
        save_points="检查点（7天）",
        changes="最近的改动",
        conversation="最近的对话",
        user="用户",
        assistant="助手",
        more="… 还有 {n} 项",
    ),
}

STATUS_WORDS: Mapping[str, StatusWords] = {
    "en": StatusWords(
        project="Project",
        feature="Working on",
        task="Task",
        status="Status",
        blocked="Blocked by",
        next_step="Next step",
        last_save="Last saved",
        by="by {trigger}",
        never="never",
        archive="Archive",
        archived="{turns:turn|turns} in {sessions:session|sessions} of {features:feature|features}",
        waiting="Not yet archived",
        waiting_value="{turns:turn|turns} in {windows:conversation|conversations}",
        nothing_waiting="nothing",
        context="Context",
        context_value="about {tokens} tokens – {level}",
        levels={"safe": "safe", "info": "filling up", "warning": "nearly full", "critical": "full"},
        advice="What to do",
        advice_start="Work as usual; awf-archive checkpoint saves the conversation.",
        advice_checkpoint="Save what is new: awf-archive checkpoint",
        advice_new_window="Save, then open a new window: awf-archive checkpoint",
        advice_go_on="Go on: {step}",
    ),
    "vi": StatusWords(
        project="Project",
        feature="Đang làm",
        task="Task",
        status="Status",
        blocked="Vướng",
        next_step="Bước tiếp",
        last_save="Lưu lần cuối",
        by="do {trigger}",
        never="chưa bao giờ",
        archive="Kho lưu trữ",
        archived="{turns} lượt trong {sessions} session của {features} tính năng",
        waiting="Chưa lưu vào kho",
        waiting_value="{turns} lượt trong {windows} hội thoại",
        nothing_waiting="không có gì",
        context="Context",
        context_value="khoảng {tokens} token – {level}",
        levels={"safe": "an toàn", "info": "đang đầy dần", "warning": "sắp đầy", "critical": "đầy"},
        advice="Nên làm gì",
        advice_start="Cứ làm việc như thường; awf-archive checkpoint sẽ lưu hội thoại.",
        advice_checkpoint="Lưu phần mới: awf-archive checkpoint",
        advice_new_window="Lưu rồi mở cửa sổ mới: awf-archive checkpoint",
        advice_go_on="Làm tiếp: {step}",
    ),
    "zh": StatusWords(
        project="项目",
        feature="正在做",
        task="任务",
        status="状态",
        blocked="阻碍",
        next_step="下一步",
        last_save="上次保存",
        by="触发：{trigger}",
        never="从未",
        archive="归档",
        archived="{features} 个功能、{sessions} 个会话、共 {turns} 轮",
        waiting="尚未归档",
        waiting_value="{windows} 个对话中的 {turns} 轮",
        nothing_waiting="无",
        context="上下文",
        context_value="约 {tokens} token – {level}",
        levels={"safe": "安全", "info": "逐渐变满", "warning": "快满了", "critical": "已满"},
        advice="建议",
        advice_start="照常工作；awf-archive checkpoint 会保存对话。",
        advice_checkpoint="保存新的对话：awf-archive checkpoint",
        advice_new_window="先保存，再开新窗口：awf-archive checkpoint",
        advice_go_on="继续：{step}",
    ),
}
