"""What `merge` and `install git` say, in three languages."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GitWords:
    """One language's texts."""

    merged: str
    """With {feature}."""
    taken: str
    """With {session}, {a}, {b}, {c} and {d}: now and formerly."""
    grown: str
    """With {n}."""
    decisions: str
    """With {n}."""
    conflict: str
    """With {decision}, {field}, {ours} and {theirs}."""
    kept: str
    """With {path} and {decision}."""
    fields: Mapping[str, str]
    """What both sides may have changed of a decision."""
    nothing: str
    """With {commit}."""
    staged: str
    left: str
    """With {paths}."""
    set_aside: str
    """With {paths}."""
    installed: str
    unchanged: str
    removed: str
    not_there: str
    formerly: str
    """With {old}, {feature} and {new}."""


GIT_WORDS: Mapping[str, GitWords] = {
    "en": GitWords(
        merged="✅ {feature}: merged",
        taken="  {session}: turns {a}–{b} (there {c}–{d})",
        grown="  {n:turn|turns} on which the other side had more",
        decisions="  {n:decision|decisions}",
        conflict="Changed on both sides: {decision}, {field}. Ours stays: “{ours}”. Theirs: “{theirs}”",
        kept="Theirs is kept in {path}. To take it: awf-archive decisions edit, accept or reject {decision}",
        fields={
            "text": "text",
            "reason": "reason",
            "options": "options",
            "files": "files",
            "status": "status",
        },
        nothing="✅ Nothing new in {commit}.",
        staged="The archive's files are resolved and staged. Go on with: git commit",
        left="Still in conflict, for you to resolve: {paths}",
        set_aside="Changed while git waited, and kept aside: {paths}. Run awf-archive checkpoint again.",
        installed="✅ Set up in this repository:",
        unchanged="✅ Everything is set up already.",
        removed="✅ Taken back from this repository:",
        not_there="Nothing of ours is set up in this repository.",
        formerly="#{old} was another turn's number before a merge: awf-archive show {feature}#{new}",
    ),
    "vi": GitWords(
        merged="✅ {feature}: đã gộp",
        taken="  {session}: lượt {a}–{b} (bên kia {c}–{d})",
        grown="  {n} lượt mà bên kia có nhiều hơn",
        decisions="  {n} quyết định",
        conflict="Cả hai bên đều sửa: {decision}, {field}. Giữ bên mình: “{ours}”. Bên kia: “{theirs}”",
        kept="Bản bên kia được cất ở {path}. Để lấy: awf-archive decisions edit, accept hoặc reject {decision}",
        fields={
            "text": "nội dung",
            "reason": "lý do",
            "options": "các lựa chọn",
            "files": "các file",
            "status": "trạng thái",
        },
        nothing="✅ {commit} không có gì mới.",
        staged="Các file của kho đã được giải quyết và đưa vào stage. Tiếp tục: git commit",
        left="Vẫn còn xung đột, bạn tự giải quyết: {paths}",
        set_aside="Đã thay đổi trong lúc git chờ, được cất riêng: {paths}. Hãy chạy lại awf-archive checkpoint.",
        installed="✅ Đã thiết lập trong repository này:",
        unchanged="✅ Mọi thứ đã được thiết lập sẵn.",
        removed="✅ Đã gỡ khỏi repository này:",
        not_there="Repository này không có gì do chúng tôi thiết lập.",
        formerly="#{old} từng là số của một lượt khác trước khi gộp: awf-archive show {feature}#{new}",
    ),
    "zh": GitWords(
        merged="✅ {feature}：已合并",
        taken="  {session}：第{a}-{b}轮（对方为第{c}-{d}轮）",
        grown="  对方内容更多的轮次：{n}",
        decisions="  决策：{n}",
        conflict="双方都改了 {decision} 的{field}。保留我方：“{ours}”。对方：“{theirs}”",
        kept="对方的版本保存在 {path}。如要采用：awf-archive decisions edit、accept 或 reject {decision}",
        fields={"text": "内容", "reason": "理由", "options": "备选方案", "files": "文件", "status": "状态"},
        nothing="✅ {commit} 中没有新内容。",
        staged="归档文件已解决冲突并暂存。继续执行：git commit",
        left="仍有冲突，请自行解决：{paths}",
        set_aside="git 等待期间被修改，已另行保存：{paths}。请再次执行 awf-archive checkpoint。",
        installed="✅ 已在此仓库中设置：",
        unchanged="✅ 一切已设置完毕。",
        removed="✅ 已从此仓库中移除：",
        not_there="此仓库中没有我们的设置。",
        formerly="合并之前，#{old} 也是另一轮的编号：awf-archive show {feature}#{new}",
    ),
}
