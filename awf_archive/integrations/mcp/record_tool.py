"""The tool `record_decision`: write down what was just decided."""

from typing import Annotated, Literal

from pydantic import Field

from awf_archive.domain.decisions import Found
from awf_archive.domain.features import check_feature
from awf_archive.domain.tool_lines import one_line
from awf_archive.integrations.mcp.desk import Desk, now
from awf_archive.integrations.mcp.masking import quoted
from awf_archive.integrations.mcp.values import Answer, Given
from awf_archive.services.decisions_changes import record
from awf_archive.services.decisions_feature import feature_of_work

ABOUT = """\
Write down a decision of this project. Use it when the user settles something (a technology, a design, a rule) or \
asks you to note it. One call per decision, in the conversation's language, as a full statement ("use SQLite instead \
of Redis for the queue"). Nothing that is open or that the user did not agree to."""

_OPTION = Annotated[str, Field(max_length=300)]


class RecordGiven(Given):
    """The arguments of `record_decision`."""

    text: Annotated[str, Field(min_length=3, max_length=300, description="What was decided.")]
    reason: Annotated[str, Field(max_length=300, description="Why.")] = ""
    options: Annotated[tuple[_OPTION, ...], Field(max_length=10, description="What was considered.")] = ()
    feature: Annotated[str, Field(description="If not the one in work.")] = ""
    supersedes: Annotated[tuple[str, ...], Field(description="Ids whose place it takes.")] = ()
    by: Annotated[Literal["user", "assistant"], Field(description="Who decided.")] = "user"


class RecordAnswer(Answer):
    """The answer of `record_decision`."""

    id: str
    feature: str
    text: str
    supersedes: tuple[str, ...] = ()


def run(desk: Desk, given: RecordGiven) -> RecordAnswer:
    """Record a decision. Raises UsageError, FeatureNameError, and NoArchiveError for what it cannot supersede."""
    archive = (
        desk.archive.unmasked
    )  # what is read is written back: masks would become the archive's own words
    found = Found(
        text=one_line(given.text, 300),
        reason=one_line(given.reason, 300),
        options=given.options,
        by=given.by,
        found_by="command",
        evidence=one_line(given.text, 500),
        supersedes=given.supersedes,
    )
    feature = check_feature(given.feature) if given.feature else feature_of_work(archive)
    done = record(archive, feature, found, now())
    return RecordAnswer(id=done.id, feature=done.feature, text=done.text, supersedes=done.supersedes)


def text(answer: RecordAnswer) -> str:
    """Return the result for reading."""
    return f"Recorded as {answer.feature} {answer.id}:\n{quoted(answer.text)}"
