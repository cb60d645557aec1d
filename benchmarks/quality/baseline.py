"""The plain-pattern baseline: what tools of the field do, a list of words per language searched in every line.

Each line with a word of decision is a decision of its own. A user's line is accepted, an assistant's proposed.
"""

import re
from collections.abc import Iterator

from labelled_turns import Spoken

from awf_archive.domain.decisions import Found, Place, Side, Status

WORDS = re.compile(
    r"\b(?:decided|decision|let's use|let's go with|we(?:'ll| will) use|i(?:'ll| will) use|instead of|rather than|"
    r"going with|switch to|choose|chose|agreed|ok|okay|yes|go ahead|sounds good|lgtm)\b"
    r"|\b(?:quyết định|chốt|thống nhất|đồng ý|dùng|chọn phương án|làm vậy|thay vì|chuyển sang|sẽ dùng|ok)\b"
    r"|决定|采用|改用|选择|就用|同意|确定|使用|好的|就这样|代替",
    re.IGNORECASE,
)


def find(turn: Spoken) -> Iterator[Found]:
    for side, words in ((Side.USER, turn.user), (Side.ASSISTANT, turn.assistant)):
        start = 0
        for line in words.split("\n"):
            if WORDS.search(line):
                yield Found(
                    text=line.strip()[:300],
                    by=side.value,
                    found_by="pattern",
                    evidence=line.strip()[:500],
                    place=Place(side=side, offset=start),
                    status=Status.ACCEPTED if side is Side.USER else Status.PROPOSED,
                )
            start += len(line) + 1
