"""Words by which a sentence shows what it is: a result, a mending, or one that leans on the sentence before. Data."""

import re

RESULT = re.compile(
    r"(?i)(?<!is )(?<!are )(?<!be )(?<!being )\b(?:add(?:ed|s)|fix(?:ed|es)|implement(?:ed|s)|creat(?:ed|es)|"
    r"updat(?:ed|es)|remov(?:ed|es)|renam(?:ed|es)|refactored|replaced|moved|migrated|extended|wired|built|cleaned|"
    r"committed|pushed|merged|deployed|resolved|root cause|the (?:problem|issue|bug|cause|reason) (?:is|was)|found|"
    r"confirmed|works|pass(?:ed|es|ing)?|completed?)\b|\b(?:đã|nguyên nhân|hoàn thành|hoạt động)\b"
    r"|已|完成|修复|改为|原因|建议|结果"
)
"""Words of a report rather than of an explanation."""

FIX = re.compile(
    r"(?i)\b(?:fix(?:ed|es)|resolved|root cause|the (?:problem|issue|bug|cause) (?:is|was)|caused by|must be|"
    r"turns out|needed to|instead of)\b|\b(?:đã sửa|nguyên nhân|khắc phục|là do)\b"
    r"|修复|已解决|原因是|原因在于|问题在于"
)
"""Words that tell how an error was mended."""

_LEANING = re.compile(
    r"(?i)^(?:(?:of important note|as an aside|our current|it|this|that|these|those|they|he|she|which|so|and|but|"
    r"because|also|then|otherwise|note|make note|same|both|either|"
    r"nó|điều này|việc này|đó|cái này|như vậy|vậy|nhưng|và|còn|thế)\b"
    r"|它|这|那|其|而且|但是?|所以|因此|另外|同时|因为)"
)


def leans(sentence: str) -> bool:
    """Whether a sentence leans on the one before it, such as "It checks …": alone it tells less."""
    return bool(_LEANING.match(sentence))


ID = re.compile(r"\b(?=[a-z-]*\d)[0-9a-f]{7,}\b")
"""An id of a commit or a session: a sentence with one is about a thing that nobody knows by that name."""
