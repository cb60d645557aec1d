"""What `install`, `uninstall` and `trust` say, in three languages."""

from collections.abc import Mapping
from typing import NamedTuple


class InstallWords(NamedTuple):
    """One language's texts."""

    asked: str
    """With {n} files."""
    installed: str
    """With {tool} and {path}."""
    installed_awf: str
    """With {path}."""
    removed: str
    """With {path}."""
    unchanged: str
    nothing: str
    kept: str
    """With {path}."""
    left: str
    restart: str
    """With {commands}."""
    codex_review: str
    codex_off: str
    trust_hint: str
    trusted: str
    """With {path}."""
    settings_trusted: str
    """With {path}."""
    forgotten: str
    """With {path}."""
    not_trusted: str
    """With {path}."""
    origin: str
    """With {origin}."""


INSTALL_WORDS: Mapping[str, InstallWords] = {
    "en": InstallWords(
        asked="Change {n:file|files}?",
        installed="✅ {tool} is set up: {path}",
        installed_awf="✅ AWF is set up: {path}",
        removed="✅ Taken back: {path}",
        unchanged="Already set up; nothing was changed.",
        nothing="Nothing of ours is there; nothing was changed.",
        kept="{path}: was changed since; it stays.",
        left="Nothing was changed.",
        restart="It holds from the next window on. Commands there: {commands}.",
        codex_review="Codex runs a new hook only after you reviewed it: in Codex, open /hooks and trust them.",
        codex_off="Your config.toml switches hooks off ([features] hooks = false): change that, or nothing runs.",
        trust_hint="This folder's .brain was not made on this machine: awf-archive trust lets it into new windows.",
        trusted="✅ Trusted: {path}. Its .brain is told in new windows.",
        settings_trusted="Its settings file counts as it is now: {path}",
        forgotten="✅ No longer trusted: {path}",
        not_trusted="Not trusted: {path}",
        origin="Its .brain: {origin}",
    ),
    "vi": InstallWords(
        asked="Thay đổi {n} file?",
        installed="✅ Đã cài vào {tool}: {path}",
        installed_awf="✅ Đã cài vào AWF: {path}",
        removed="✅ Đã gỡ: {path}",
        unchanged="Đã cài sẵn; không có gì thay đổi.",
        nothing="Không có gì của awf-archive ở đó; không có gì thay đổi.",
        kept="{path}: đã bị sửa sau khi cài nên được giữ lại.",
        left="Không có gì thay đổi.",
        restart="Có hiệu lực từ cửa sổ mới. Lệnh ở đó: {commands}.",
        codex_review="Codex chỉ chạy hook mới sau khi bạn đã duyệt: trong Codex, mở /hooks và chọn tin cậy.",
        codex_off="config.toml của bạn đang tắt hook ([features] hooks = false): chưa bật lại thì không có gì chạy.",
        trust_hint="`.brain` của thư mục này không được tạo trên máy này: awf-archive trust để nạp vào cửa sổ mới.",
        trusted="✅ Đã tin cậy: {path}. `.brain` sẽ được nạp vào cửa sổ mới.",
        settings_trusted="File cài đặt được tin cậy như hiện tại: {path}",
        forgotten="✅ Không còn tin cậy: {path}",
        not_trusted="Chưa tin cậy: {path}",
        origin="`.brain`: {origin}",
    ),
    "zh": InstallWords(
        asked="更改 {n} 个文件？",
        installed="✅ 已装入 {tool}：{path}",
        installed_awf="✅ 已装入 AWF：{path}",
        removed="✅ 已移除：{path}",
        unchanged="已经装好，没有改动。",
        nothing="那里没有我们的内容，没有改动。",
        kept="{path}：安装后被改过，予以保留。",
        left="没有改动。",
        restart="从下一个窗口起生效。可用命令：{commands}。",
        codex_review="Codex 只运行你审核过的新 hook：请在 Codex 中打开 /hooks 并信任它们。",
        codex_off="你的 config.toml 关闭了 hook（[features] hooks = false）：改回之前什么都不会运行。",
        trust_hint="此文件夹的 .brain 不是在本机创建的：用 awf-archive trust 允许载入新窗口。",
        trusted="✅ 已信任：{path}。新窗口会载入它的 .brain。",
        settings_trusted="其设置文件按当前内容生效：{path}",
        forgotten="✅ 不再信任：{path}",
        not_trusted="未信任：{path}",
        origin="其 .brain：{origin}",
    ),
}
