"""Hypothesis strategies for everything a turn may hold."""

import json

from hypothesis import strategies as st

from awf_archive.domain.ids import Digest, TurnId
from awf_archive.domain.transcript import (
    Attachment,
    Branch,
    Link,
    Note,
    NoteKind,
    Outline,
    Prompt,
    Start,
    SubAgent,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Turn,
    Unknown,
    Usage,
)

TRAPS = (
    "## 用户\n\n",
    "## Assistant\n",
    "\n## Trợ lý\n\n",
    "---\n",
    "```\n",
    "````py\nx",
    "~~~\n",
    "-->",
    "<!-- awf-archive: where each block lies; made by the program\n",
    "⟦U+000D⟧",
    "⟦U+",
    "⟦",
    "\r\n",
    "\r",
    "\0",
    "\x1b[31m",
    "\ud83d",
    "\udc00",
    "\u2028",
    "\u0085",
    "\ufeff",
    "\uffff",
    "</details>",
    "<details><summary>",
    "\n\n\n",
    " ",
    "đ",
    "🙂",
)

any_character = st.characters(codec=None, exclude_categories=())
texts = st.lists(st.one_of(st.text(any_character, max_size=12), st.sampled_from(TRAPS)), max_size=6).map(
    "".join
)


def _joined(text):
    """Join surrogates that are a pair: JSON cannot hold them apart, so no transcript does."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


lines = st.text(any_character, max_size=12).map(_joined)
names = texts.map(_joined)
numbers = st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)

attachments = st.builds(
    Attachment,
    file=st.from_regex(r"[0-9a-f]{16}\.(png|pdf|svg)", fullmatch=True),
    media_type=st.sampled_from(["image/png", "application/pdf", "image/svg+xml"]),
    name=names,
    size=st.integers(0, 10**9),
)
links = st.builds(Link, url=texts, media_type=lines)
unknowns = st.builds(Unknown, kind=lines, json=st.one_of(texts, json_values.map(json.dumps)))
parts_of_results = st.one_of(st.builds(Text, text=texts), attachments, links, unknowns)
results = st.builds(
    ToolResult, blocks=st.lists(parts_of_results, max_size=3).map(tuple), is_error=st.booleans()
)
calls = st.builds(
    ToolCall,
    id=lines,
    name=st.sampled_from(["Bash", "Write", "Task"]) | lines,
    input=json_values,
    result=st.none() | results,
)
leaves = st.one_of(
    st.builds(Text, text=texts),
    st.builds(Thinking, text=texts),
    st.builds(Prompt, text=texts),
    st.builds(Note, kind=st.sampled_from(NoteKind), text=texts),
    attachments,
    links,
    unknowns,
    calls,
    results,
)


def _agents(inner):
    return st.builds(
        SubAgent,
        id=lines,
        kind=lines,
        description=lines,
        call_id=lines,
        blocks=st.lists(inner, max_size=3).map(tuple),
    )


blocks = st.recursive(leaves, _agents, max_leaves=6)
sides = st.lists(blocks, max_size=4).map(tuple)

outlines = st.builds(
    Outline,
    id=lines.map(TurnId),
    start=st.sampled_from(Start),
    time=st.sampled_from(["", "2026-03-02T09:00:01Z", "2026-03-02T09:00:01.000Z"]) | lines,
    prompt_digest=st.just(Digest("0" * 64)),
    fingerprint=st.just(Digest("1" * 64)),
    branch=st.sampled_from(Branch),
)
turns = st.builds(
    Turn,
    outline=outlines,
    user=sides,
    assistant=sides,
    end_time=lines,
    models=st.lists(lines, max_size=2).map(tuple),
    usage=st.builds(Usage, input=st.integers(0, 99), output=st.integers(0, 99)),
)
