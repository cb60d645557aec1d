"""What `resume` prints, in three languages (SPEC 2, spec/wording.md)."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeWords:
    """Headings and rows of the resume text."""

    headline: str
    """With {feature}."""
    overview: str
    columns: tuple[str, str]
    feature: str
    total: str
    total_value: str
    """With {n}."""
    phase: str
    latest: str
    latest_value: str
    """With {session}, {a} and {b}."""
    conversation: str
    """With {session}: its number."""
    turn: str
    """With {n}."""
    user: str
    assistant: str
    history: str
    chunk: str
    """With {number}, {a} and {b}."""
    decisions: str
    documents: str
    document_columns: tuple[str, str]
    missing: str
    present: str
    stories: str
    """With {n}."""
    tasks: str
    """With {done} and {n}."""
    go_on: str
    closing: str
    left_out_turns: str
    """With {n} and {command}."""
    left_out_chunks: str
    """With {n} and {command}."""
    left_out_preview: str
    """With {path}."""
    cut_turn: str
    """With {command}: the newest turn alone is larger than the budget."""
    cannot: str
    cannot_body: str
    """With {feature}."""
    partly: str
    list_columns: tuple[str, str, str, str]
    """Feature, turns, phase, last saved."""
    list_empty: str


RESUME_WORDS: Mapping[str, ResumeWords] = {
    "zh": ResumeWords(
        headline="# 恢复: {feature}",
        overview="## 📊 状态概览",
        columns=("项目", "值"),
        feature="功能",
        total="总对话轮数",
        total_value="{n} 轮",
        phase="当前阶段",
        latest="最近会话",
        latest_value="{session} (第{a}-{b}轮)",
        conversation="## 📝 最近对话 (会话-{session})",
        turn="### 第{n}轮",
        user="**用户**:",
        assistant="**助手**:",
        history="## 📚 历史摘要",
        chunk="### 摘要-{number} (第{a}-{b}轮)",
        decisions="关键决策",
        documents="## 📄 文档",
        document_columns=("文档", "状态"),
        missing="—",
        present="✅",
        stories="✅ {n} 个用户故事",
        tasks="✅ 已完成 {done}/{n} 个任务",
        go_on="## 🚀 继续工作",
        closing="上下文已加载，请继续之前的工作。",
        left_out_turns="⋯ 省略了较早的 {n} 轮：{command}",
        left_out_chunks="⋯ 省略了 {n} 个摘要的细节：{command}",
        left_out_preview="⋯ 未显示预览：{path}",
        cut_turn="⋯ 本轮过长，仅显示开头。全文：{command}",
        cannot="❌ **无法恢复**",
        cannot_body="功能 `{feature}` 没有保存的上下文。\n\n请检查：\n1. 功能名称是否正确\n2. 是否执行过保存",
        partly="⚠️ **部分加载**",
        list_columns=("功能", "轮数", "阶段", "上次保存"),
        list_empty="还没有保存过任何对话。保存：awf-archive checkpoint",
    ),
    "en": ResumeWords(
        headline="# Resume: {feature}",
        overview="## 📊 Status",
        columns=("Item", "Value"),
        feature="Feature",
        total="Turns in all",
        total_value="{n}",
        phase="Phase",
        latest="Latest session",
        latest_value="{session} (turns {a}–{b})",
        conversation="## 📝 Latest conversation (session {session})",
        turn="### Turn {n}",
        user="**User**:",
        assistant="**Assistant**:",
        history="## 📚 Summaries",
        chunk="### Summary {number} (turns {a}–{b})",
        decisions="Key decisions",
        documents="## 📄 Documents",
        document_columns=("Document", "Status"),
        missing="—",
        present="✅",
        stories="✅ {n} user stories",
        tasks="✅ {done}/{n} tasks done",
        go_on="## 🚀 Go on",
        closing="The context is loaded; go on with the work.",
        left_out_turns="⋯ {n} earlier turns left out: {command}",
        left_out_chunks="⋯ details of {n:summary|summaries} left out: {command}",
        left_out_preview="⋯ preview left out: {path}",
        cut_turn="⋯ this turn is too long, only its beginning is shown. All of it: {command}",
        cannot="❌ **Cannot resume**",
        cannot_body="Feature `{feature}` has no saved context.\n\nCheck:\n1. Is the feature's name right?\n"
        "2. Was it ever saved?",
        partly="⚠️ **Partly loaded**",
        list_columns=("Feature", "Turns", "Phase", "Last saved"),
        list_empty="Nothing is saved yet. Save with: awf-archive checkpoint",
    ),
    "vi": ResumeWords(
        headline="# Khôi phục: {feature}",
        overview="## 📊 Tổng quan",
        columns=("Mục", "Giá trị"),
        feature="Tính năng",
        total="Tổng số lượt",
        total_value="{n}",
        phase="Giai đoạn",
        latest="Session mới nhất",
        latest_value="{session} (lượt {a}–{b})",
        conversation="## 📝 Hội thoại gần nhất (session {session})",
        turn="### Lượt {n}",
        user="**Người dùng**:",
        assistant="**Trợ lý**:",
        history="## 📚 Các tóm tắt",
        chunk="### Tóm tắt {number} (lượt {a}–{b})",
        decisions="Quyết định chính",
        documents="## 📄 Tài liệu",
        document_columns=("Tài liệu", "Trạng thái"),
        missing="—",
        present="✅",
        stories="✅ {n} user story",
        tasks="✅ xong {done}/{n} task",
        go_on="## 🚀 Làm tiếp",
        closing="Context đã được nạp, hãy tiếp tục công việc.",
        left_out_turns="⋯ bỏ qua {n} lượt cũ hơn: {command}",
        left_out_chunks="⋯ bỏ qua chi tiết của {n} tóm tắt: {command}",
        left_out_preview="⋯ không hiện phần xem trước: {path}",
        cut_turn="⋯ lượt này quá dài, chỉ hiện phần đầu. Toàn văn: {command}",
        cannot="❌ **Không thể khôi phục**",
        cannot_body="Tính năng `{feature}` chưa có context đã lưu.\n\nKiểm tra:\n1. Tên tính năng đúng chưa?\n"
        "2. Đã lưu lần nào chưa?",
        partly="⚠️ **Chỉ tải được một phần**",
        list_columns=("Tính năng", "Lượt", "Giai đoạn", "Lưu lần cuối"),
        list_empty="Chưa lưu gì cả. Lưu bằng lệnh: awf-archive checkpoint",
    ),
}
