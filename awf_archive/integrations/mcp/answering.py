"""From a call's arguments to its result: checked, done, masked, and every failure an answer that helps."""

import sys
import traceback
from collections.abc import Mapping
from typing import Any

from mcp import types
from pydantic import ValidationError

from awf_archive import config
from awf_archive.errors import ArchiveError, UsageError
from awf_archive.integrations.mcp.desk import Desk
from awf_archive.integrations.mcp.masking import masked, protected
from awf_archive.integrations.mcp.tools import ToolRow


def answer(row: ToolRow, desk: Desk, arguments: Mapping[str, Any]) -> types.CallToolResult:
    """Return the result of a call. Raises ArchiveError."""
    given = _given(row, arguments)
    found = row.run(desk, given)
    value = protected(found.model_dump(mode="json"), desk.safe)
    safe = row.answer.model_validate(value)
    notes = "".join(f"\n\nNote: {one}" for one in safe.notes)
    return types.CallToolResult(
        content=[types.TextContent(text=row.text(safe) + notes)],
        structured_content=safe.model_dump(mode="json", by_alias=True, exclude_defaults=True),
    )


def _given(row: ToolRow, arguments: Mapping[str, Any]) -> Any:  # noqa: ANN401 - the row's own model
    try:
        return row.given.model_validate(dict(arguments))
    except ValidationError as problem:
        faults = "; ".join(
            f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}" for one in problem.errors()
        )
        known = ", ".join(one.alias or name for name, one in row.given.model_fields.items())
        hint = f"It takes: {known}. Mend the arguments and call again."
        raise UsageError(f"{row.name}: {faults}.", hint) from problem


def refused(problem: ArchiveError) -> types.CallToolResult:
    """Return an error as a model can act on it: what is wrong, and what to do next."""
    text = masked("\n".join(filter(None, (problem.message.removeprefix("--"), problem.hint))))
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)


def ours(problem: Exception) -> ArchiveError:
    """Return what to tell of an error that nobody foresaw; where it comes from goes to stderr, for a report."""
    if config.is_debugging():
        traceback.print_exception(problem, file=sys.stderr)
    if isinstance(problem, OSError) and problem.filename:
        return ArchiveError(
            f"{problem.filename}: {problem.strerror or problem}.",
            "Tell the user: the folder's owner and permissions want a look.",
        )
    return ArchiveError(
        f"Something of awf-archive's own went wrong ({type(problem).__name__}).",
        "Tell the user; AWF_ARCHIVE_DEBUG=1 shows where. Nothing of the archive is lost.",
    )
