"""What `watch` says, in three languages."""

from collections.abc import Mapping
from typing import NamedTuple


class WatchWords(NamedTuple):
    """One language's texts."""

    begins: str
    """With {path}."""
    saved: str
    """With {time}, {feature}, {turns} and {name}."""
    ends: str
    """With {turns}."""
    taken: str
    taken_hint: str


WATCH_WORDS: Mapping[str, WatchWords] = {
    "en": WatchWords(
        begins="👀 Watching the conversations of {path}. Ctrl-C ends it.",
        saved="{time}  💾 {feature}: turns saved: {turns}  ({name})",
        ends="Ended. Turns saved: {turns}.",
        taken="Another awf-archive watch is at it in this folder.",
        taken_hint="End that one first, or leave it at it: one is enough.",
    ),
    "vi": WatchWords(
        begins="👀 Đang theo dõi các cuộc trò chuyện của {path}. Nhấn Ctrl-C để dừng.",
        saved="{time}  💾 {feature}: {turns} lượt  ({name})",
        ends="Đã dừng: lưu được {turns} lượt.",
        taken="Một awf-archive watch khác đang chạy trong thư mục này.",
        taken_hint="Hãy dừng nó trước, hoặc cứ để nó chạy: một là đủ.",
    ),
    "zh": WatchWords(
        begins="👀 正在监看 {path} 的对话。按 Ctrl-C 结束。",
        saved="{time}  💾 {feature}：{turns} 轮  （{name}）",
        ends="已结束：共保存 {turns} 轮。",
        taken="此文件夹中已有另一个 awf-archive watch 在运行。",
        taken_hint="请先结束它，或让它继续：一个就够了。",
    ),
}
