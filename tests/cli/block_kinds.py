"""One block of every kind."""

from awf_archive.domain.transcript import (
    Attachment,
    Link,
    Note,
    NoteKind,
    Prompt,
    SubAgent,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unknown,
)

EVERY_BLOCK = (
    Text(text="a"),
    Prompt(text="a"),
    Thinking(text="a"),
    *(Note(kind=kind, text="a") for kind in NoteKind),
    Unknown(kind="x", json="{}"),
    Link(url="https://example.invalid/a", media_type="image/png"),
    Attachment(file="0123456789abcdef.png", media_type="image/png", name="a", size=1),
    ToolCall(id="t", name="Bash", input={"command": "a"}, result=ToolResult(blocks=(Text(text="b"),))),
    ToolResult(blocks=(Text(text="a"),)),
    SubAgent(id="a", kind="Explore", description="b", call_id="t", blocks=(Text(text="c"),)),
)
