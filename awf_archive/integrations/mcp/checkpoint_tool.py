"""The tool `checkpoint`: save what is new in this conversation (SPEC 1)."""

from typing import Annotated

from pydantic import Field

from awf_archive.integrations.mcp.desk import Desk
from awf_archive.integrations.mcp.masking import quoted
from awf_archive.integrations.mcp.values import Answer, Given

ABOUT = """\
Save this conversation into the project's archive, whole: every turn that is not saved yet. Use it when the user \
asks to save, or says they are leaving or switching windows; not after every message. Saving twice saves nothing \
twice, and no number ever changes. Leave feature out unless the user names the strand of work: a conversation that \
was saved before keeps its feature. dryRun says what would be saved and writes nothing.
Returns what was saved and under which numbers, to be cited as feature#turn."""


class CheckpointGiven(Given):
    """The arguments of `checkpoint`."""

    feature: Annotated[
        str, Field(max_length=200, description="The strand of work to save under, if the user names one.")
    ] = ""
    conversation: Annotated[
        str,
        Field(max_length=200, description="Id of the conversation, if not the newest of this workspace."),
    ] = ""
    dry_run: Annotated[bool, Field(description="Say what would be saved and write nothing.")] = False


class CheckpointAnswer(Answer):
    """The answer of `checkpoint`."""

    feature: str = ""
    feature_rule: Annotated[str, Field(description="Which rule chose the feature.")] = ""
    session: str = ""
    conversation: str
    title: str = ""
    saved_turns: int
    updated_turns: Annotated[int, Field(description="Saved turns that had grown since.")] = 0
    skipped_turns: Annotated[int, Field(description="Turns that were nothing but our own command.")] = 0
    turns: Annotated[str, Field(description="Numbers of the saved turns in the feature: 16-25.")] = ""
    chunk: Annotated[str, Field(description="The summary of older turns that was due.")] = ""
    problems: Annotated[int, Field(description="Records of the transcript that did not read.")] = 0
    dry_run: bool = False


def run(desk: Desk, given: CheckpointGiven) -> CheckpointAnswer:
    """Save. Raises InputError when no conversation is found or it does not read, and as `checkpoint` does."""
    from awf_archive.integrations.mcp.saving import save  # readers and all: no start should wait for them

    return save(desk, given)


def text(answer: CheckpointAnswer) -> str:
    """Return the result for reading."""
    if not answer.saved_turns and not answer.updated_turns:
        return f"Nothing new to save in conversation {answer.conversation}."
    done = "Would save" if answer.dry_run else "Saved"
    numbers = f" as {answer.feature}#{answer.turns}" if answer.turns else ""
    lines = [
        f"Conversation {answer.conversation}:",
        *([quoted(answer.title)] if answer.title else []),
        f"{done} {answer.saved_turns} turns{numbers} in {answer.feature}/{answer.session or '—'}.",
        f"Feature chosen by: {answer.feature_rule}.",
    ]
    if answer.updated_turns:
        lines.append(f"{answer.updated_turns} saved turns had grown and were brought up to date.")
    if answer.skipped_turns:
        lines.append(f"{answer.skipped_turns} turns were nothing but a save or resume command.")
    if answer.chunk:
        lines.append(f"A summary of older turns was made: {answer.chunk}.")
    if answer.problems:
        lines.append(f"{answer.problems} records did not read; metadata.json lists them, the vault has them.")
    return "\n".join(lines)
