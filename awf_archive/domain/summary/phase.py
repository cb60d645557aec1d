"""Which phase a session's work points to, from its tool calls (SPEC 1.6)."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from awf_archive.domain.tool_lines import EDITING_TOOLS, calls_in, files_touched
from awf_archive.domain.transcript import Block, ToolCall

_TEST_RUN = re.compile(
    r"\b(?:pytest|jest|vitest|go test|cargo test|npm (?:run )?test|mvn test|make test|unittest)\b"
)
_DEPLOY_RUN = re.compile(
    r"\b(?:kubectl|helm|docker push|terraform apply|vercel|fly deploy|npm publish|twine upload)\b"
)
_REVIEW_RUN = re.compile(r"\b(?:gh pr (?:review|diff|view)|git (?:diff|show|blame))\b")

_DOCUMENTS: Mapping[str, str] = {
    "requirements.md": "requirements",
    "design.md": "design",
    "tasks.md": "tasks",
}


def phase_signs(blocks: Iterable[Block]) -> Counter[str]:
    """Count what a turn's work says of the phase (SPEC 1.6); a written document of the spec counts most."""
    signs: Counter[str] = Counter()
    for call in calls_in(blocks):
        signs.update(_signs_of(call))
    return signs


def _signs_of(call: ToolCall) -> dict[str, int]:
    if call.name == "Bash" and isinstance(call.input, dict):
        command = str(call.input.get("command") or "")
        found = {
            "testing": bool(_TEST_RUN.search(command)),
            "deployment": 3 * bool(_DEPLOY_RUN.search(command)),
            "review": bool(_REVIEW_RUN.search(command)),
        }
        failed = bool(call.result and call.result.is_error)
        return found | {"debugging": int(failed)}
    if call.name in EDITING_TOOLS:
        written = files_touched([call])
        document = _DOCUMENTS.get(written[0].replace("\\", "/").rsplit("/", 1)[-1]) if written else None
        return {document: 5} if document else {"implementation": 1}
    return {}


def infer_phase(signs: Counter[str]) -> str:
    """Return the phase that most of the work points to; `requirements` when none does.

    >>> infer_phase(Counter(design=5, implementation=2)), infer_phase(Counter())
    ('design', 'requirements')
    """
    return max(signs, key=lambda phase: (signs[phase], phase)) if signs.total() else "requirements"
