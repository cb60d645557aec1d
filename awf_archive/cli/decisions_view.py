"""Decisions as a terminal shows them and as `--json` gives them."""

from collections.abc import Iterable, Sequence

from awf_archive.cli import output
from awf_archive.domain.decisions import Decision
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.wording.decision_words import DecisionWords

_LISTED = 90
"""Characters of a decision in the list."""
_BREAK = "\n"


def listed(decisions: Sequence[Decision], words: DecisionWords) -> str:
    """Return the list, a table for each feature."""
    tables = []
    for feature in dict.fromkeys(one.feature for one in decisions):
        rows = [_row(one, words) for one in decisions if one.feature == feature]
        tables.append(f"■ {feature}\n{output.table([words.columns, *rows])}")
    return "\n\n".join(tables)


def _row(one: Decision, words: DecisionWords) -> tuple[str, ...]:
    mark = f"  ⟵ {', '.join(one.may_supersede)}?" if one.may_supersede else ""
    return (
        one.id,
        words.statuses[one.status.value],
        one.date[:10],
        f"#{one.turn}" if one.turn else "",
        one_line(one.text, _LISTED) + mark,
    )


def line(one: Decision) -> str:
    """Return a decision on one line; `decide` prints it, and a later checkpoint knows the record by it."""
    return f"{one.id} · {one_line(one.text, 300)}"


def card(one: Decision, others: Iterable[Decision], words: DecisionWords) -> str:
    """Return everything that is known of a decision; `others` are those of its feature."""
    texts = {other.id: one_line(other.text, _LISTED) for other in others}
    labels = words.labels
    place = f"{one.feature}#{one.turn}" if one.turn else (one.place.path if one.place else "")
    found = f"{one.found_by} ({one.confidence:.2f})" if one.found_by else ""
    facts = (
        ("status", words.statuses[one.status.value]),
        ("turn", place),
        ("date", one.date[:10]),
        ("by", words.deciders.get(one.by, one.by)),
        ("reason", one.reason),
        ("options", "".join(f"\n  - {option}" for option in one.options)),
        ("files", ", ".join(one.files)),
        ("evidence", f"“{one.evidence}”" if one.evidence else ""),
        ("found", found),
        ("also", ", ".join(f"#{turn}" for turn in one.also)),
    )
    linked = [
        *(words.supersedes.format(id=name, text=texts.get(name, "")) for name in one.supersedes),
        *(words.may_supersede.format(id=name, text=texts.get(name, "")) for name in one.may_supersede),
    ]
    if one.superseded_by:
        by = one.superseded_by
        linked.append(words.superseded_by.format(id=by, text=texts.get(by, "")))
    if one.edited:
        linked.append(words.edited_fields.format(fields=", ".join(one.edited)))
    if one.turn:
        linked.append(words.where.format(place=f"{one.feature}#{one.turn}"))
    told = [
        f"{labels[name]}:{value if value.startswith(_BREAK) else f' {value}'}"
        for name, value in facts
        if value
    ]
    return "\n".join((f"{one.feature} {line(one)}", "", *told, *linked))
