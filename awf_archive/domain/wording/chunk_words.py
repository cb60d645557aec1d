"""What `chunk rebuild`, and a checkpoint whose summary command failed, say in three languages."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkCommandWords:
    """One language's texts; each line with {feature}, {chunk}, {a}, {b} and {how}."""

    made: str
    unchanged: str
    would: str
    kept: str
    """With {why}."""
    failed: str
    """With {why}: the command's answer was not taken."""
    by_command: str
    """What {how} says."""
    by_turns: str
    nothing: str
    no_command: str
    """The settings name no command, and `--plain` was not said: which way it goes, on stderr."""


CHUNK_WORDS: Mapping[str, ChunkCommandWords] = {
    "en": ChunkCommandWords(
        made="✅ {feature} {chunk} (turns {a}–{b}): made anew, {how}",
        unchanged="{feature} {chunk} (turns {a}–{b}): as it was",
        would="🔍 {feature} {chunk} (turns {a}–{b}): would be made anew, {how}",
        kept="⚠️ {feature} {chunk} (turns {a}–{b}): kept as it is: {why}",
        failed="⚠️ {feature} {chunk}: the summary command gave nothing usable: {why}. "
        "A summary in the turns' own words, or an earlier one, stands instead.",
        by_command="by the configured command",
        by_turns="in the turns' own words",
        nothing="There is no summary yet: the first one is made when {threshold} turns are not yet summarised.",
        no_command="No [summary] command is configured: summaries are made in the turns' own words.",
    ),
    "vi": ChunkCommandWords(
        made="✅ {feature} {chunk} (lượt {a}–{b}): đã tạo lại, {how}",
        unchanged="{feature} {chunk} (lượt {a}–{b}): không có gì thay đổi",
        would="🔍 {feature} {chunk} (lượt {a}–{b}): sẽ được tạo lại, {how}",
        kept="⚠️ {feature} {chunk} (lượt {a}–{b}): giữ nguyên: {why}",
        failed="⚠️ {feature} {chunk}: lệnh tóm tắt không cho kết quả dùng được: {why}. "
        "Thay vào đó là bản tóm tắt bằng chính lời trong các lượt, hoặc bản trước đó.",
        by_command="bằng lệnh đã cấu hình",
        by_turns="bằng chính lời trong các lượt",
        nothing="Chưa có tóm tắt nào: bản đầu tiên được tạo khi có {threshold} lượt chưa được tóm tắt.",
        no_command="Chưa cấu hình lệnh tóm tắt ([summary] command): tóm tắt được tạo bằng chính lời trong các lượt.",
    ),
    "zh": ChunkCommandWords(
        made="✅ {feature} {chunk} (第{a}-{b}轮)：已重新生成，{how}",
        unchanged="{feature} {chunk} (第{a}-{b}轮)：没有变化",
        would="🔍 {feature} {chunk} (第{a}-{b}轮)：将重新生成，{how}",
        kept="⚠️ {feature} {chunk} (第{a}-{b}轮)：保持原样：{why}",
        failed="⚠️ {feature} {chunk}：摘要命令没有给出可用的结果：{why}。改用由各轮原话组成的摘要，或之前的摘要。",
        by_command="由配置的命令撰写",
        by_turns="由各轮原话组成",
        nothing="还没有摘要：累计 {threshold} 轮未摘要的对话后会生成第一份。",
        no_command="没有配置摘要命令（[summary] command）：摘要由各轮原话组成。",
    ),
}
