"""What `doctor` says, in three languages."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorWords:
    """One language's texts."""

    archived: str
    """With {n}, {features} and {last}: when something was last saved."""
    no_archive: str
    index_current: str
    index_behind: str
    index_none: str
    vault: str
    """With {path} and {n}: conversations whose own bytes are kept."""
    no_vault: str
    hooks: str
    """With {tools}."""
    no_hooks: str
    at_risk: str
    """With {n} and {days}."""
    days_left: str
    """With {n}."""
    today: str
    do_this: str
    nothing_at_risk: str
    """With {n}: days after which Claude Code deletes."""
    damaged: str
    """With {what}."""


EN = DoctorWords(
    archived="{n:turn is|turns are} archived here, in {features:feature|features}; last saved {last}.",
    no_archive="Nothing is archived here yet. After a chat: awf-archive checkpoint",
    index_current="The search index is up to date.",
    index_behind="The search index is behind; the next search brings it along.",
    index_none="There is no search index yet; the first search makes it.",
    vault="The originals of {n:conversation|conversations} are kept in {path}",
    no_vault="No original is kept yet; the first checkpoint begins with that.",
    hooks="Saved by themselves here: conversations of {tools}.",
    no_hooks="No tool saves by itself here: awf-archive install --help lists those that can.",
    at_risk="{n:conversation|conversations}, saved nowhere, will be deleted by Claude Code within {days:day|days}:",
    days_left="in {n:day|days}",
    today="at the next start",
    do_this="Save them now: awf-archive import",
    nothing_at_risk="No conversation is about to be deleted unsaved (Claude Code deletes after {n:day|days}).",
    damaged="Does not read: {what}. See: awf-archive verify",
)
VI = DoctorWords(
    archived="Ở đây đã lưu {n} lượt trong {features} tính năng; lần lưu gần nhất: {last}.",
    no_archive="Ở đây chưa lưu gì. Sau một cuộc trò chuyện: awf-archive checkpoint",
    index_current="Chỉ mục tìm kiếm đang mới.",
    index_behind="Chỉ mục tìm kiếm chưa kịp cập nhật; lần tìm tới sẽ bổ sung.",
    index_none="Chưa có chỉ mục tìm kiếm; lần tìm đầu tiên sẽ tạo.",
    vault="Bản gốc của {n} hội thoại được giữ ở {path}",
    no_vault="Chưa giữ bản gốc nào; lần lưu đầu tiên sẽ bắt đầu.",
    hooks="Tự lưu ở đây: cuộc trò chuyện của {tools}.",
    no_hooks="Chưa công cụ nào tự lưu ở đây: awf-archive install --help liệt kê những công cụ làm được.",
    at_risk="{n} hội thoại chưa lưu ở đâu cả, và Claude Code sẽ xoá trong {days} ngày tới:",
    days_left="còn {n} ngày",
    today="lần khởi động tới",
    do_this="Lưu ngay: awf-archive import",
    nothing_at_risk="Không có hội thoại nào sắp bị xoá mà chưa lưu (Claude Code xoá sau {n} ngày).",
    damaged="Không đọc được: {what}. Xem: awf-archive verify",
)
ZH = DoctorWords(
    archived="这里已在 {features} 个功能中存档 {n} 轮；最近一次保存：{last}。",
    no_archive="这里还没有存档。聊天之后运行：awf-archive checkpoint",
    index_current="搜索索引是最新的。",
    index_behind="搜索索引尚未跟上；下次搜索时会自动更新。",
    index_none="还没有搜索索引；首次搜索时会建立。",
    vault="{n} 个对话的原始文件保存在 {path}",
    no_vault="还没有保存原始文件；首次存档时会开始保存。",
    hooks="在这里自动保存：{tools} 的对话。",
    no_hooks="这里还没有工具自动保存：awf-archive install --help 列出可用的工具。",
    at_risk="有 {n} 个对话从未保存，Claude Code 将在 {days} 天内删除：",
    days_left="{n} 天后",
    today="下次启动时",
    do_this="立即保存：awf-archive import",
    nothing_at_risk="没有即将被删除而未保存的对话（Claude Code 在 {n} 天后删除）。",
    damaged="无法读取：{what}。请查看：awf-archive verify",
)

DOCTOR_WORDS: Mapping[str, DoctorWords] = {"en": EN, "vi": VI, "zh": ZH}
