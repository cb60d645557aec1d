"""What a hook may tell a person.

The same texts as `domain.wording.notices`, which takes 60 ms to load; a test holds them together.
"""

from collections.abc import Mapping

NOTICES: Mapping[str, Mapping[str, str]] = {
    "vi": {
        "workflow_end": "💾 Đã lưu tiến độ. Bạn có thể đóng app an toàn.",
        "user_leaving": "💾 Thấy bạn chuẩn bị đi, đã auto-save session.",
        "context_warning": "⚠️ Context sắp đầy. Đã save backup. Nên gõ {save} rồi bắt đầu session mới.",
        "emergency": "⚠️ Đã lưu khẩn cấp. Gõ {recap} trong session mới để tiếp tục.",
        "save_failed": "⚠️ Không thể lưu session. Kiểm tra quyền ghi file.",
        "gave_up": "⚠️ Có hội thoại chưa tự lưu được. awf-archive status cho biết lý do và cách lưu.",
        "restored": "Đã khôi phục từ backup gần nhất.",
        "session_broken": "Session bị lỗi. Bắt đầu fresh!",
    },
    "en": {
        "workflow_end": "💾 Progress saved. You can safely close the app.",
        "user_leaving": "💾 Detected you're leaving, session auto-saved.",
        "context_warning": (
            "⚠️ Context nearly full. Backup saved. Run {save}, then consider starting a new session."
        ),
        "emergency": "⚠️ Emergency save complete. Use {recap} in new session to continue.",
        "save_failed": "⚠️ Could not save the session. Check write permission.",
        "gave_up": "⚠️ A conversation could not be saved by itself. awf-archive status tells why, and how to save it.",
        "restored": "Restored from the latest backup.",
        "session_broken": "The session file is broken. Starting fresh!",
    },
    "zh": {
        "workflow_end": "💾 进度已保存，可以放心关闭。",
        "user_leaving": "💾 看到你要离开，已自动保存会话。",
        "context_warning": "⚠️ 上下文快满了，已保存备份。建议先执行 {save}，再开新会话。",
        "emergency": "⚠️ 已紧急保存。在新会话中用 {recap} 继续。",
        "save_failed": "⚠️ 无法保存会话，请检查写入权限。",
        "gave_up": "⚠️ 有对话未能自动保存。awf-archive status 会说明原因和保存方法。",
        "restored": "已从最近的备份恢复。",
        "session_broken": "会话文件已损坏，重新开始！",
    },
}

UNTRUSTED: Mapping[str, str] = {
    "vi": "awf-archive: `.brain` ở đây không được tạo trên máy này, nên chưa nạp. Nếu tin: awf-archive trust",
    "en": (
        "awf-archive: this folder's .brain was not made on this machine, so none of it was loaded. "
        "If you trust it: awf-archive trust"
    ),
    "zh": "awf-archive：此文件夹的 .brain 不是在本机创建的，因此没有载入。如果信任它：awf-archive trust",
}


def notice(name: str, language: str, sign: str = "/") -> str:
    """Return a notice, its commands with the sign that is typed before them; "" for a name that is none."""
    return NOTICES[language].get(name, "").format(recap=f"{sign}awf-recap", save=f"{sign}awf-checkpoint")
