"""What a person is told when something was saved by itself, in three languages (SPEC 3.4, spec/wording.md)."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeWords:
    """Every notice; the field's name is its id."""

    workflow_end: str
    user_leaving: str
    context_warning: str
    """With {save}."""
    emergency: str
    """With {recap}."""
    save_failed: str
    gave_up: str
    restored: str
    no_session: str
    recap_restored: str
    session_broken: str


NOTICE_WORDS: Mapping[str, NoticeWords] = {
    "vi": NoticeWords(
        workflow_end="💾 Đã lưu tiến độ. Bạn có thể đóng app an toàn.",
        user_leaving="💾 Thấy bạn chuẩn bị đi, đã auto-save session.",
        context_warning="⚠️ Context sắp đầy. Đã save backup. Nên gõ {save} rồi bắt đầu session mới.",
        emergency="⚠️ Đã lưu khẩn cấp. Gõ {recap} trong session mới để tiếp tục.",
        save_failed="⚠️ Không thể lưu session. Kiểm tra quyền ghi file.",
        gave_up="⚠️ Có hội thoại chưa tự lưu được. awf-archive status cho biết lý do và cách lưu.",
        restored="Đã khôi phục từ backup gần nhất.",
        no_session="Chưa có session. Bắt đầu mới nhé!",
        recap_restored="Đã khôi phục từ backup.",
        session_broken="Session bị lỗi. Bắt đầu fresh!",
    ),
    "en": NoticeWords(
        workflow_end="💾 Progress saved. You can safely close the app.",
        user_leaving="💾 Detected you're leaving, session auto-saved.",
        context_warning="⚠️ Context nearly full. Backup saved. Run {save}, then consider starting a new session.",
        emergency="⚠️ Emergency save complete. Use {recap} in new session to continue.",
        save_failed="⚠️ Could not save the session. Check write permission.",
        gave_up="⚠️ A conversation could not be saved by itself. awf-archive status tells why, and how to save it.",
        restored="Restored from the latest backup.",
        no_session="No session yet. Let's start fresh!",
        recap_restored="Restored from backup.",
        session_broken="The session file is broken. Starting fresh!",
    ),
    "zh": NoticeWords(
        workflow_end="💾 进度已保存，可以放心关闭。",
        user_leaving="💾 看到你要离开，已自动保存会话。",
        context_warning="⚠️ 上下文快满了，已保存备份。建议先执行 {save}，再开新会话。",
        emergency="⚠️ 已紧急保存。在新会话中用 {recap} 继续。",
        save_failed="⚠️ 无法保存会话，请检查写入权限。",
        gave_up="⚠️ 有对话未能自动保存。awf-archive status 会说明原因和保存方法。",
        restored="已从最近的备份恢复。",
        no_session="还没有会话，开始新的吧！",
        recap_restored="已从备份恢复。",
        session_broken="会话文件已损坏，重新开始！",
    ),
}
