"""What `decide` and `decisions` say, in three languages."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionWords:
    """One language's texts."""

    columns: tuple[str, ...]
    """Number, status, date, turn, decision."""
    statuses: Mapping[str, str]
    deciders: Mapping[str, str]
    """`user` and `assistant`."""
    none: str
    none_fits: str
    """A filter was given."""
    recorded: str
    """With {feature}; after the decision's line; so the next three."""
    recorded_new: str
    """Nothing was saved under the feature before."""
    known: str
    """It was recorded before and accepted."""
    known_accepted: str
    """It was recorded before and is accepted by this."""
    accepted: str
    """With {id}; so the next ones."""
    rejected: str
    superseded: str
    """With {old} and {new}."""
    kept_both: str
    edited: str
    nothing_to_edit: str
    labels: Mapping[str, str]
    """`feature`, `status`, `turn`, `date`, `by`, `reason`, `options`, `files`, `evidence`, `found`, `also`."""
    supersedes: str
    """With {id} and {text}; so the next two."""
    superseded_by: str
    may_supersede: str
    where: str
    """With {place}: the command that shows the turn."""
    edited_fields: str
    """With {fields}."""
    review_none: str
    review_head: str
    """With {n}, {total}, {place}."""
    review_keys: str
    review_unknown: str
    """With {key}."""
    review_done: str
    """With {accepted}, {rejected}, {superseded}, {edited}, {skipped}."""
    ask_text: str
    ask_reason: str
    ask_old: str
    """Which one it replaces; an empty line leaves it."""
    user_said: str
    assistant_said: str
    harvested: str
    """With {feature}, {turns}, {documents}, {added}, {changed}."""
    harvest_plan: str
    exported: str
    """With {n}, {same}, {place}."""
    no_turns: str
    """With {a}, {b}, {feature}; so the next one."""
    more_turns: str
    taken: str
    """Of a reader's answer, with {added}, {confirmed}, {dismissed}, {known}, {refused}."""
    more_refused: str
    """With {n}."""
    to_review: str
    """With {n}; after what was taken."""
    line_refused: str
    """With {line} and {why}."""


EN = DecisionWords(
    columns=("", "Status", "Date", "Turn", "Decision"),
    statuses={
        "proposed": "proposed",
        "accepted": "accepted",
        "superseded": "superseded",
        "rejected": "rejected",
    },
    deciders={"user": "user", "assistant": "assistant"},
    none='No decision was recorded yet. Record one: awf-archive decide "use SQLite" --reason "no server". '
    "Look through what is saved: awf-archive decisions harvest",
    none_fits="No decision fits.",
    recorded="Recorded in {feature}.",
    recorded_new="Recorded in the new feature {feature}.",
    known="Recorded in {feature} before, and accepted.",
    known_accepted="Recorded in {feature} before; it is accepted now.",
    accepted="✅ {id} is accepted.",
    rejected="{id} is rejected. It stays in the list; awf-archive decisions accept {id} brings it back.",
    superseded="✅ {new} takes the place of {old}.",
    kept_both="{id} stands beside the earlier one.",
    edited="✅ {id} is changed. No later harvest changes it back.",
    nothing_to_edit="Nothing was changed.",
    labels={
        "feature": "Feature",
        "status": "Status",
        "turn": "Turn",
        "date": "Date",
        "by": "Decided by",
        "reason": "Why",
        "options": "Options",
        "files": "Files",
        "evidence": "Evidence",
        "found": "Found by",
        "also": "Said again",
    },
    supersedes="Takes the place of {id}: {text}",
    superseded_by="Superseded by {id}: {text}",
    may_supersede="Seems to take the place of {id}: {text}",
    where="In full: awf-archive show {place}",
    edited_fields="Changed by hand: {fields}",
    review_none="Nothing waits for your word.",
    review_head="── {n} of {total} · {place}",
    review_keys="[a] accept  [r] reject  [e] edit  [u] supersede an earlier one  [s] skip  [q] quit",
    review_unknown="{key}: no such key.",
    review_done="Accepted {accepted} · rejected {rejected} · superseding {superseded} · edited {edited} · "
    "skipped {skipped}",
    ask_text="Decision (empty: as it is)",
    ask_reason="Why (empty: as it is)",
    ask_old="Which one does it replace? D-…",
    user_said="User",
    assistant_said="Assistant",
    harvested="{feature}: {turns:turn|turns} and {documents:entry|entries} of documents "
    "looked at, {added:decision|decisions} added, "
    "{changed} changed.",
    harvest_plan="Plan only, nothing was written.",
    exported="{n:file|files} written to {place}, {same} were up to date.",
    no_turns="{feature} has no turns {a} to {b}.",
    more_turns="There is more: awf-archive decisions read --feature {feature} --turns {a}-{b}",
    taken="Read: new {added} · confirmed {confirmed} · dismissed {dismissed} · known {known} · refused {refused}",
    more_refused="{n:more line was|more lines were} refused; the first are:",
    to_review="{n:new one waits|new ones wait} for your word: awf-archive decisions review",
    line_refused="line {line}: {why}",
)

VI = DecisionWords(
    columns=("", "Trạng thái", "Ngày", "Lượt", "Quyết định"),
    statuses={
        "proposed": "đề xuất",
        "accepted": "đã chốt",
        "superseded": "đã thay thế",
        "rejected": "đã bác bỏ",
    },
    deciders={"user": "người dùng", "assistant": "trợ lý"},
    none='Chưa có quyết định nào được ghi lại. Ghi một quyết định: awf-archive decide "dùng SQLite" '
    '--reason "khỏi cần máy chủ". Tìm trong những gì đã lưu: awf-archive decisions harvest',
    none_fits="Không có quyết định nào khớp.",
    recorded="Đã ghi vào {feature}.",
    recorded_new="Đã ghi vào tính năng mới {feature}.",
    known="Đã có trong {feature} và đã chốt từ trước.",
    known_accepted="Đã có trong {feature} từ trước; nay đã chốt.",
    accepted="✅ Đã chốt {id}.",
    rejected="Đã bác bỏ {id}. Nó vẫn nằm trong danh sách; awf-archive decisions accept {id} sẽ lấy lại.",
    superseded="✅ {new} thay thế {old}.",
    kept_both="{id} đứng cạnh quyết định trước đó.",
    edited="✅ Đã sửa {id}. Các lần tìm lại sau này sẽ không ghi đè.",
    nothing_to_edit="Không có gì thay đổi.",
    labels={
        "feature": "Tính năng",
        "status": "Trạng thái",
        "turn": "Lượt",
        "date": "Ngày",
        "by": "Người quyết định",
        "reason": "Lý do",
        "options": "Các lựa chọn",
        "files": "Tệp",
        "evidence": "Bằng chứng",
        "found": "Tìm thấy qua",
        "also": "Nhắc lại ở lượt",
    },
    supersedes="Thay thế {id}: {text}",
    superseded_by="Bị thay thế bởi {id}: {text}",
    may_supersede="Có vẻ thay thế {id}: {text}",
    where="Xem đầy đủ: awf-archive show {place}",
    edited_fields="Đã sửa bằng tay: {fields}",
    review_none="Không có gì chờ bạn xem.",
    review_head="── {n}/{total} · {place}",
    review_keys="[a] chốt  [r] bác bỏ  [e] sửa  [u] thay cho quyết định trước  [s] để sau  [q] thoát",
    review_unknown="{key}: không có phím này.",
    review_done="Đã chốt {accepted} · bác bỏ {rejected} · thay thế {superseded} · sửa {edited} · để sau {skipped}",
    ask_text="Quyết định (để trống: giữ nguyên)",
    ask_reason="Lý do (để trống: giữ nguyên)",
    ask_old="Nó thay cho quyết định nào? D-…",
    user_said="Người dùng",
    assistant_said="Trợ lý",
    harvested="{feature}: đã xem {turns} lượt và {documents} mục trong tài liệu, thêm {added} quyết định, "
    "đổi {changed}.",
    harvest_plan="Mới là kế hoạch, chưa ghi gì.",
    exported="Đã ghi {n} tệp vào {place}, {same} tệp vẫn như cũ.",
    no_turns="{feature} không có lượt {a} đến {b}.",
    more_turns="Còn nữa: awf-archive decisions read --feature {feature} --turns {a}-{b}",
    taken="Quyết định: mới {added} · xác nhận {confirmed} · loại {dismissed} · đã có {known} · không nhận {refused}",
    more_refused="Còn {n} dòng nữa không nhận; những dòng đầu là:",
    to_review="{n} quyết định mới chờ bạn xem: awf-archive decisions review",
    line_refused="dòng {line}: {why}",
)

ZH = DecisionWords(
    columns=("", "状态", "日期", "轮次", "决策"),
    statuses={"proposed": "待确认", "accepted": "已采纳", "superseded": "已取代", "rejected": "已否决"},
    deciders={"user": "用户", "assistant": "助手"},
    none='还没有记录到决策。记录一条：awf-archive decide "用 SQLite" --reason "不需要服务器"。'
    "在已保存的内容里查找：awf-archive decisions harvest",
    none_fits="没有符合条件的决策。",
    recorded="已记录到 {feature}。",
    recorded_new="已记录到新功能 {feature}。",
    known="{feature} 中早已记录并已确定。",
    known_accepted="{feature} 中早已记录，现已确定。",
    accepted="✅ 已采纳 {id}。",
    rejected="已否决 {id}。它仍留在列表里，awf-archive decisions accept {id} 可以恢复。",
    superseded="✅ {new} 取代了 {old}。",
    kept_both="{id} 与之前的决策并存。",
    edited="✅ 已修改 {id}。以后再次查找也不会改回去。",
    nothing_to_edit="没有任何改动。",
    labels={
        "feature": "功能",
        "status": "状态",
        "turn": "轮次",
        "date": "日期",
        "by": "决定者",
        "reason": "原因",
        "options": "备选方案",
        "files": "文件",
        "evidence": "原文",
        "found": "来源",
        "also": "再次提到",
    },
    supersedes="取代 {id}：{text}",
    superseded_by="被 {id} 取代：{text}",
    may_supersede="似乎取代了 {id}：{text}",
    where="查看全文：awf-archive show {place}",
    edited_fields="手工修改过：{fields}",
    review_none="没有等待确认的决策。",
    review_head="── 第 {n} 条，共 {total} 条 · {place}",
    review_keys="[a] 采纳  [r] 否决  [e] 修改  [u] 取代之前的决策  [s] 跳过  [q] 退出",
    review_unknown="{key}：没有这个按键。",
    review_done="采纳 {accepted} · 否决 {rejected} · 取代 {superseded} · 修改 {edited} · 跳过 {skipped}",
    ask_text="决策（留空则不变）",
    ask_reason="原因（留空则不变）",
    ask_old="它取代哪一条？D-…",
    user_said="用户",
    assistant_said="助手",
    harvested="{feature}：查看了 {turns} 轮对话和文档中的 {documents} 条，新增 {added} 项决策，更新 {changed} 项。",
    harvest_plan="这只是计划，没有写入任何内容。",
    exported="已写入 {n} 个文件到 {place}，另有 {same} 个没有变化。",
    no_turns="{feature} 没有第 {a} 到 {b} 轮。",
    more_turns="后面还有：awf-archive decisions read --feature {feature} --turns {a}-{b}",
    taken="决策：新增 {added} · 确认 {confirmed} · 排除 {dismissed} · 已有 {known} · 未采用 {refused}",
    more_refused="另有 {n} 行未采用，前几行是：",
    to_review="{n} 条新决策等待确认：awf-archive decisions review",
    line_refused="第 {line} 行：{why}",
)

DECISION_WORDS: Mapping[str, DecisionWords] = {"en": EN, "vi": VI, "zh": ZH}
