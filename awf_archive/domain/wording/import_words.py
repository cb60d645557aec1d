"""What `import`, `formats` and `move` say, in three languages."""

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
    failures: str
    """With {n}; each with its reason follows."""
    dry_run: str
    stopped: str
    where: str
    """With {n}, {feature} and {workspace}."""
    partial: str
    """With {n}: conversations of which only the prompts are left."""
    moved: str
    """With {window}, {feature}, {a}, {b}."""
    format_columns: tuple[str, ...]
    """Format, name, found on this machine."""


EN = ImportWords(
    columns=("Read", "New", "Unchanged", "Empty", "Failed", "Turns saved"),
    nothing_found="No conversation was found. Looked in: {places}\n"
    "Name a file or folder: awf-archive import PATH. What can be read: awf-archive formats",
    ignored="Left out: {n:file that is no conversation or is older|files that are no "
    "conversations or are older} than asked for.",
    progress="{done} · {rate}/s · {left} left",
    failures="{n} could not be read:",
    dry_run="Plan only, nothing was written.",
    stopped="Stopped. What was saved is saved; run the same command again to go on.",
    where="{n} → {feature} in {workspace}",
    partial="{n} of them are prompts only: their tool has deleted the transcript.",
    moved="{window} is now in {feature} as turns {a}–{b}; its old numbers lead there.",
    format_columns=("Format", "Tool", "Found on this machine"),
)
VI = ImportWords(
    columns=("Đã đọc", "Mới", "Không đổi", "Trống", "Lỗi", "Lượt đã lưu"),
    nothing_found="Không tìm thấy hội thoại nào. Đã tìm trong: {places}\n"
    "Chỉ rõ file hoặc thư mục: awf-archive import PATH. Đọc được những gì: awf-archive formats",
    ignored="{n} file không phải hội thoại, hoặc cũ hơn mốc yêu cầu, đã được bỏ qua.",
    progress="{done} · {rate}/giây · còn {left}",
    failures="{n} không đọc được:",
    dry_run="Chỉ xem kế hoạch, chưa ghi gì.",
    stopped="Đã dừng. Phần đã lưu vẫn còn; chạy lại đúng lệnh này để tiếp tục.",
    where="{n} → {feature} trong {workspace}",
    partial="{n} trong số đó chỉ còn câu hỏi: công cụ đã xoá bản ghi.",
    moved="{window} nay thuộc {feature}, lượt {a}–{b}; số cũ vẫn dẫn tới đó.",
    format_columns=("Định dạng", "Công cụ", "Tìm thấy trên máy này"),
)
ZH = ImportWords(
    columns=("已读取", "新增", "无变化", "空", "失败", "保存轮数"),
    nothing_found="没有找到任何对话。查找位置：{places}\n"
    "请指定文件或文件夹：awf-archive import PATH。支持的格式：awf-archive formats",
    ignored="{n} 个文件不是对话，或早于指定日期，已略过。",
    progress="{done} · {rate}/秒 · 还剩 {left}",
    failures="{n} 个无法读取：",
    dry_run="仅预览，未写入任何内容。",
    stopped="已停止。已保存的内容不会丢失；再次运行同一命令即可继续。",
    where="{n} → {workspace} 中的 {feature}",
    partial="其中 {n} 个只剩提问：工具已删除原始记录。",
    moved="{window} 现在属于 {feature}，第{a}-{b}轮；旧编号仍然有效。",
    format_columns=("格式", "工具", "本机找到"),
)

IMPORT_WORDS: Mapping[str, ImportWords] = {"en": EN, "vi": VI, "zh": ZH}
