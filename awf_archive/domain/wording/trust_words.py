"""What `verify`, `repair` and `restore` say, in three languages."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustWords:
    """One language's texts."""

    sound: str
    """With {turns}, {from_vault}, {bytes} and {lines}."""
    found: str
    """With {n} and the same."""
    more: str
    """With {n}: the files beside the one that is named."""
    repaired: str
    """With {n}."""
    left: str
    """With {n}: what `repair` could not mend."""
    lost: str
    """With {place} and {turns}: a session that the manifest names and that is gone or does not read."""
    unchanged: str
    backed_up: str
    """With {path}, {files} and {bytes}."""
    unpacked: str
    """With the same."""


TRUST_WORDS: Mapping[str, TrustWords] = {
    "en": TrustWords(
        sound=(
            "✅ Sound: {turns:turn is|turns are} what was saved, "
            "{from_vault} of them proven from the vault's {bytes:byte|bytes} in {lines:line|lines}."
        ),
        found=(
            "❌ {n:finding|findings}. {turns:turn is|turns are} what was saved, "
            "{from_vault} of them proven from the vault's {bytes:byte|bytes} in {lines:line|lines}."
        ),
        more=" and {n} more",
        repaired="{n:thing|things} mended. awf-archive verify tells what is left.",
        left="{n:thing is|things are} left:",
        lost="{place} ({turns}) is missing or does not read. awf-archive repair makes it anew if the vault has it.",
        unchanged="already there",
        backed_up="{path}: {files:file|files}, {bytes:byte|bytes}, read back and proven.",
        unpacked="{path}: {files:file|files}, {bytes:byte|bytes}, proven and in place.",
    ),
    "vi": TrustWords(
        sound=(
            "✅ Nguyên vẹn: {turns} lượt đúng như đã lưu, "
            "{from_vault} lượt được kiểm chứng từ {bytes} byte trong {lines} dòng của kho gốc."
        ),
        found=(
            "❌ {n} vấn đề. {turns} lượt đúng như đã lưu, "
            "{from_vault} lượt được kiểm chứng từ {bytes} byte trong {lines} dòng của kho gốc."
        ),
        more=" và {n} file nữa",
        repaired="Đã sửa {n} chỗ. awf-archive verify cho biết còn lại gì.",
        left="Còn {n} chỗ chưa sửa được:",
        lost="{place} ({turns}) bị mất hoặc không đọc được. awf-archive repair tạo lại nếu kho gốc còn giữ.",
        unchanged="đã có sẵn",
        backed_up="{path}: {files} file, {bytes} byte, đã đọc lại và kiểm chứng.",
        unpacked="{path}: {files} file, {bytes} byte, đã kiểm chứng và đặt vào chỗ.",
    ),
    "zh": TrustWords(
        sound="✅ 完好：{turns} 轮与保存时一致，其中 {from_vault} 轮已由原始库的 {bytes} 字节（{lines} 行）验证。",
        found=(
            "❌ 发现 {n} 个问题。{turns} 轮与保存时一致，其中"
            " {from_vault} 轮已由原始库的 {bytes} 字节（{lines} 行）验证。"
        ),
        more=" 等另外 {n} 个文件",
        repaired="已修复 {n} 处。用 awf-archive verify 查看还剩什么。",
        left="还有 {n} 处未能修复：",
        lost="{place}（{turns}）丢失或无法读取。如原始库中仍有，awf-archive repair 会重新生成。",
        unchanged="已存在",
        backed_up="{path}：{files} 个文件，{bytes} 字节，已回读并验证。",
        unpacked="{path}：{files} 个文件，{bytes} 字节，已验证并就位。",
    ),
}
