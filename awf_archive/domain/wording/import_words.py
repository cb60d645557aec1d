"""What `import`, `formats`, `doctor` and `move` say, in three languages."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportWords:
    """One language's texts."""

    columns: tuple[str, ...]
    """Read, new, unchanged, empty, failed, turns."""
    nothing_found: str
    """With {places}."""
    ignored: str
    """With {n}: files in the folders that are no conversations."""
    progress: str
    """With {done}, {rate} and {left}."""
    dry_run: str
    where: str
    """With {n}, {feature} and {workspace}."""
    moved: str
    """With {window}, {feature}, {a}, {b}."""
    format_columns: tuple[str, ...]
    """Format, name, found on this machine."""
    at_risk: str
    """With {n} and {days}."""
    nothing_at_risk: str
    archived: str
    """With {n} and {features}."""
    no_archive: str


EN = ImportWords(
    columns=("Read", "New", "Unchanged", "Empty", "Failed", "Turns saved"),
    nothing_found="No conversation was found. Looked in: {places}",
    ignored="{n} files are no conversations, or are older than asked for, and were left out.",
    progress="{done} · {rate}/s · {left} left",
    dry_run="Plan only, nothing was written.",
    where="{n} → {feature} in {workspace}",
    moved="{window} is now in {feature} as turns {a}–{b}; its old numbers lead there.",
    format_columns=("Format", "Tool", "Found on this machine"),
    at_risk="{n} conversations are not archived and will be deleted by their tool within {days} days. "
    "Save them with: awf-archive import",
    nothing_at_risk="No conversation is about to be deleted unsaved.",
    archived="{n} turns archived in {features} features.",
    no_archive="Nothing is archived here yet.",
)
VI = ImportWords(
    columns=("Đã đọc", "Mới", "Không đổi", "Trống", "Lỗi", "Lượt đã lưu"),
    nothing_found="Không tìm thấy hội thoại nào. Đã tìm trong: {places}",
    ignored="{n} file không phải hội thoại, hoặc cũ hơn mốc yêu cầu, đã được bỏ qua.",
    progress="{done} · {rate}/giây · còn {left}",
    dry_run="Chỉ xem kế hoạch, chưa ghi gì.",
    where="{n} → {feature} trong {workspace}",
    moved="{window} nay thuộc {feature}, lượt {a}–{b}; số cũ vẫn dẫn tới đó.",
    format_columns=("Định dạng", "Công cụ", "Tìm thấy trên máy này"),
    at_risk="{n} hội thoại chưa được lưu và sẽ bị công cụ xoá trong {days} ngày tới. "
    "Lưu bằng lệnh: awf-archive import",
    nothing_at_risk="Không có hội thoại nào sắp bị xoá mà chưa lưu.",
    archived="Đã lưu {n} lượt trong {features} tính năng.",
    no_archive="Ở đây chưa lưu gì.",
)
ZH = ImportWords(
    columns=("已读取", "新增", "无变化", "空", "失败", "保存轮数"),
    nothing_found="没有找到任何对话。查找位置：{places}",
    ignored="{n} 个文件不是对话，或早于指定日期，已略过。",
    progress="{done} · {rate}/秒 · 还剩 {left}",
    dry_run="仅预览，未写入任何内容。",
    where="{n} → {workspace} 中的 {feature}",
    moved="{window} 现在属于 {feature}，第{a}-{b}轮；旧编号仍然有效。",
    format_columns=("格式", "工具", "本机找到"),
    at_risk="有 {n} 个对话尚未存档，{days} 天内会被工具删除。用以下命令保存：awf-archive import",
    nothing_at_risk="没有即将被删除而未保存的对话。",
    archived="已在 {features} 个功能中存档 {n} 轮。",
    no_archive="这里还没有存档。",
)

IMPORT_WORDS: Mapping[str, ImportWords] = {"en": EN, "vi": VI, "zh": ZH}
