"""What `team` and a team's search say, in three languages."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamWords:
    """One language's texts."""

    pushed: str
    """With {documents}, {removed}, {archive} and {index}."""
    nothing: str
    """With {archive} and {index}."""
    refused: str
    """With {why}."""
    not_live: str
    unread: str
    """With {problem}."""
    label: str
    """Before the numbers of the progress bar."""
    place: str
    """With {archive}, {index} and {hosts}."""
    waiting: str
    """With {n}."""
    complete: str
    sent: str
    """With {sent} and {there}."""
    away: str
    """With {why}: the cluster does not answer."""
    fewer: str
    """The cluster holds less than it had acknowledged."""
    last_push: str
    """With {time}."""
    never: str
    next_try: str
    """With {time} and {problem}."""
    upgraded: str
    """With {documents} and {version}."""
    up_to_date: str
    old_left: str
    """With {names}."""
    old_dropped: str
    """With {names}."""
    instead: str
    """With {why}: this workspace answers in the team's place."""
    partial: str
    by: str
    """With {author}."""
    is_this_all: str
    """Asked before old indices are deleted, with {index}."""


TEAM_WORDS: Mapping[str, TeamWords] = {
    "en": TeamWords(
        pushed="✅ Sent to {index} as {archive}: {documents} new or changed, {removed} removed",
        nothing="✅ Nothing to send: {index} has all of {archive}.",
        refused="⚠️ The cluster refused some documents ({why}). They are tried again with the next push.",
        not_live="⚠️ The searched index is of an older version; what was sent is found after awf-archive team upgrade",
        unread="⚠️ Not sent, because it does not read: {problem}",
        label="push",
        place="{archive} → {index} on {hosts}",
        waiting="{n:session, summary or list of decisions waits|sessions, summaries or "
        "lists of decisions wait} to be sent: awf-archive team push",
        complete="✅ Everything is sent.",
        sent="Sent: {sent:document|documents}; the cluster holds {there}.",
        away="⚠️ {why}",
        fewer="⚠️ The cluster holds less than it took: awf-archive team reindex sends everything again.",
        last_push="Last push: {time}",
        never="Nothing was sent yet.",
        next_try="The last push failed: {problem} The worker tries again after {time}.",
        upgraded="✅ {documents:document|documents} copied; {version} is searched now.",
        up_to_date="✅ The index is of this version already.",
        old_left="No longer searched, to be deleted with --drop-old: {names}",
        old_dropped="Deleted: {names}",
        instead="⚠️ The team's search did not answer; these hits are from this workspace alone. {why}",
        partial="⚠️ Only a part of the team's index answered in time: there may be more.",
        by="by {author}",
        is_this_all="Delete the old indices of {index} for the whole team?",
    ),
    "vi": TeamWords(
        pushed="✅ Đã gửi lên {index} với tên {archive}: {documents} mục mới hoặc thay đổi, {removed} mục gỡ bỏ",
        nothing="✅ Không có gì để gửi: {index} đã có đủ {archive}.",
        refused="⚠️ Cụm máy chủ từ chối một số tài liệu ({why}). Lần gửi sau sẽ thử lại.",
        not_live="⚠️ Chỉ mục đang dùng là bản cũ; phần vừa gửi chỉ tìm được sau khi chạy: awf-archive team upgrade",
        unread="⚠️ Chưa gửi vì không đọc được: {problem}",
        label="gửi",
        place="{archive} → {index} tại {hosts}",
        waiting="Còn {n} phiên, bản tóm tắt hoặc danh sách quyết định chờ gửi: awf-archive team push",
        complete="✅ Đã gửi hết.",
        sent="Đã gửi: {sent} tài liệu; cụm máy chủ đang giữ {there}.",
        away="⚠️ {why}",
        fewer="⚠️ Cụm máy chủ giữ ít hơn số đã nhận: awf-archive team reindex gửi lại toàn bộ.",
        last_push="Lần gửi gần nhất: {time}",
        never="Chưa gửi gì.",
        next_try="Lần gửi gần nhất thất bại: {problem} Sẽ tự thử lại sau {time}.",
        upgraded="✅ Đã chép {documents} tài liệu; từ giờ tìm trên {version}.",
        up_to_date="✅ Chỉ mục đã đúng phiên bản này.",
        old_left="Không còn dùng để tìm, xóa bằng --drop-old: {names}",
        old_dropped="Đã xóa: {names}",
        instead="⚠️ Tìm kiếm của nhóm không trả lời; các kết quả này chỉ lấy từ workspace này. {why}",
        partial="⚠️ Chỉ một phần chỉ mục của nhóm kịp trả lời: có thể còn kết quả khác.",
        by="của {author}",
        is_this_all="Xóa các chỉ mục cũ của {index} cho cả nhóm?",
    ),
    "zh": TeamWords(
        pushed="✅ 已以 {archive} 之名发送到 {index}：新增或更改 {documents} 项，移除 {removed} 项",
        nothing="✅ 没有需要发送的内容：{index} 已包含 {archive} 的全部内容。",
        refused="⚠️ 集群拒绝了部分文档（{why}）。下次发送时会重试。",
        not_live="⚠️ 当前搜索的索引是旧版本。执行 awf-archive team upgrade 之后才能搜到已发送的轮次。",
        unread="⚠️ 无法读取，因此未发送：{problem}",
        label="发送",
        place="{archive} → {hosts} 上的 {index}",
        waiting="还有 {n} 个会话、摘要或决策列表等待发送：awf-archive team push",
        complete="✅ 已全部发送。",
        sent="已发送 {sent} 个文档；集群现有 {there} 个。",
        away="⚠️ {why}",
        fewer="⚠️ 集群中的文档少于它确认接收的数量：awf-archive team reindex 会重新发送全部内容。",
        last_push="上次发送：{time}",
        never="尚未发送任何内容。",
        next_try="上次发送失败：{problem} {time} 之后会自动重试。",
        upgraded="✅ 已复制 {documents} 个文档；现在搜索 {version}。",
        up_to_date="✅ 索引已是此版本。",
        old_left="不再用于搜索，可用 --drop-old 删除：{names}",
        old_dropped="已删除：{names}",
        instead="⚠️ 团队搜索没有响应；以下结果仅来自本工作区。{why}",
        partial="⚠️ 团队索引只有一部分及时响应：可能还有其他结果。",
        by="作者 {author}",
        is_this_all="要为整个团队删除 {index} 的旧索引吗？",
    ),
}
