"""What is said of a file that does not read and of a save that was given up, in three languages."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageWords:
    """One language's texts."""

    unread: str
    """With {path}: a file made from turns does not read; the turns are saved without it."""
    postponed: str
    """With {a} and {b}: turns whose summary could not be made."""
    decisions_renewed: str
    """With {n} and {path}: where the broken file is now."""
    gave_up: str
    """With {window}, {tries} and {reason}."""
    save_by_hand: str
    """With {command}."""
    state_only: str
    """After the time of a save whose conversation is not saved."""
    waits: str
    """With {job}, {tries} and {reason}: why a job of the worker still waits."""
    no_reason: str


EN = DamageWords(
    unread=(
        "{path} does not read. It is left as it is; the turns are saved, their decisions are not listed yet."
        " Bring the file back from git, or: awf-archive repair"
    ),
    postponed=(
        "The summary of the turns {a} to {b} could not be made: a turn does not read, or its file cannot be written."
        " The turns are saved. See: awf-archive verify"
    ),
    decisions_renewed=(
        "did not read; now {n} decisions, those whole in it and those found anew in the turns."
        " What else was edited or recorded by hand is in {path}, or back in git"
    ),
    gave_up="Not saved by itself: conversation {window}, given up after {tries} tries: {reason}",
    save_by_hand="Save it by hand: {command}",
    state_only="the work state only; the conversation is not saved",
    waits="{job} still waits after {tries} tries: {reason}",
    no_reason="no reason was written down; see the log",
)
VI = DamageWords(
    unread=(
        "Không đọc được {path}. File được giữ nguyên; các lượt vẫn được lưu, quyết định của chúng chưa vào danh sách."
        " Lấy lại file từ git, hoặc: awf-archive repair"
    ),
    postponed=(
        "Chưa tạo được tóm tắt của lượt {a} đến {b}: có lượt không đọc được, hoặc không ghi được file."
        " Các lượt vẫn được lưu. Xem: awf-archive verify"
    ),
    decisions_renewed=(
        "không đọc được; nay có {n} quyết định, phần còn nguyên trong file và phần tìm lại từ các lượt."
        " Phần khác đã sửa hoặc ghi bằng tay nằm trong {path}, hoặc lấy lại từ git"
    ),
    gave_up="Chưa tự lưu được: hội thoại {window}, đã dừng sau {tries} lần thử: {reason}",
    save_by_hand="Lưu bằng tay: {command}",
    state_only="chỉ trạng thái công việc; hội thoại chưa được lưu",
    waits="{job} vẫn đang chờ sau {tries} lần thử: {reason}",
    no_reason="không ghi lý do; xem nhật ký",
)
ZH = DamageWords(
    unread=(
        "无法读取 {path}。文件保持原样；各轮已保存，其中的决策暂未列入。"
        "请从 git 取回该文件，或运行：awf-archive repair"
    ),
    postponed=(
        "第 {a} 至 {b} 轮的摘要无法生成：有一轮无法读取，或其文件无法写入。"
        "各轮已保存。请查看：awf-archive verify"
    ),
    decisions_renewed=(
        "无法读取；现有 {n} 条决策，"
        "取自文件中完好的部分和各轮。其余手工修改或记录的内容在 {path} 中，或可从 git 取回"
    ),
    gave_up="未能自动保存：对话 {window}，尝试 {tries} 次后放弃：{reason}",
    save_by_hand="请手动保存：{command}",
    state_only="仅工作状态；对话未保存",
    waits="{job} 在尝试 {tries} 次后仍在等待：{reason}",
    no_reason="没有记录原因；请查看日志",
)

DAMAGE_WORDS: Mapping[str, DamageWords] = {"en": EN, "vi": VI, "zh": ZH}
