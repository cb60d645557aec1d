"""What `scan`, `redact`, a checkpoint and a site say about secrets, in three languages."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretWords:
    """One language's texts."""

    none: str
    """With {files}."""
    found: str
    """With {n}, {kinds} and {files}."""
    saved: str
    """A checkpoint's warning, with {n} and {kinds}."""
    saved_masked: str
    """The same where they were masked."""
    decided: str
    """Of a decision that was written down by hand, with {id} and {kinds}."""
    refused: str
    """The hook's last word."""
    nothing_to_mask: str
    masked: str
    """With {n}, {kinds} and {files}."""
    left: str
    """With {n}."""
    site: str
    """With {n} and {kinds}."""


SECRET_WORDS: Mapping[str, SecretWords] = {
    "en": SecretWords(
        none="✅ No secrets in {files:file|files}.",
        found="❌ {n:secret|secrets} ({kinds}) in {files:file|files}.",
        saved="{n:secret was|secrets were} saved as said ({kinds}). Before you share the archive: awf-archive redact",
        decided=(
            "{id} looks like it holds a secret ({kinds}), and is recorded as you said it. "
            "To take it out: awf-archive redact. Then change the secret: other copies keep it."
        ),
        saved_masked="{n:secret was|secrets were} masked ({kinds}).",
        refused=(
            "The commit was refused. Mask them: awf-archive redact. Or allow one by its name in .awf-archive-allow."
        ),
        nothing_to_mask="✅ Nothing to mask.",
        masked="✅ {n:secret|secrets} masked ({kinds}) in {files:file|files}. Other copies "
        "keep them: change what they open.",
        left="{n:secret is|secrets are} left that cannot be masked:",
        site="{n:secret is|secrets are} masked on the site ({kinds}).",
    ),
    "vi": SecretWords(
        none="✅ Không có bí mật nào trong {files} file.",
        found="❌ {n} bí mật ({kinds}) trong {files} file.",
        saved="Đã lưu nguyên văn {n} bí mật ({kinds}). Trước khi chia sẻ kho: awf-archive redact",
        decided=(
            "{id} có vẻ chứa bí mật ({kinds}), và được ghi đúng như bạn nói. "
            "Để bỏ đi: awf-archive redact. Sau đó hãy đổi mật khẩu, khóa: bản sao khác vẫn còn."
        ),
        saved_masked="Đã che {n} bí mật ({kinds}).",
        refused=(
            "Đã từ chối commit. Che bằng awf-archive redact, hoặc cho phép theo tên trong .awf-archive-allow."
        ),
        nothing_to_mask="✅ Không có gì để che.",
        masked="✅ Đã che {n} bí mật ({kinds}) trong {files} file. Bản sao khác vẫn còn: hãy đổi mật khẩu, khóa.",
        left="Còn {n} bí mật ở chỗ không che được:",
        site="Đã che {n} bí mật trên trang ({kinds}).",
    ),
    "zh": SecretWords(
        none="✅ {files} 个文件中没有机密信息。",
        found="❌ {files} 个文件中有 {n} 处机密信息（{kinds}）。",
        saved="已按原文保存 {n} 处机密信息（{kinds}）。共享归档之前请执行：awf-archive redact",
        decided=(
            "{id} 似乎含有机密信息（{kinds}），已按原文记录。"
            "如要去除：awf-archive redact。之后请更换密码和密钥：其他副本仍保留原文。"
        ),
        saved_masked="已遮盖 {n} 处机密信息（{kinds}）。",
        refused="已拒绝提交。请用 awf-archive redact 遮盖，或在 .awf-archive-allow 中按名称放行。",
        nothing_to_mask="✅ 没有需要遮盖的内容。",
        masked="✅ 已在 {files} 个文件中遮盖 {n} 处机密信息（{kinds}）。其他副本仍保留原文：请更换密码和密钥。",
        left="还有 {n} 处无法遮盖：",
        site="网站上已遮盖 {n} 处机密信息（{kinds}）。",
    ),
}


def kinds_text(kinds: Mapping[str, int]) -> str:
    """Return kinds with their counts, the most frequent first.

    >>> kinds_text({"jwt": 1, "password": 3})
    'password 3, jwt 1'
    """
    return ", ".join(
        f"{kind} {count}" for kind, count in sorted(kinds.items(), key=lambda one: (-one[1], one[0]))
    )
