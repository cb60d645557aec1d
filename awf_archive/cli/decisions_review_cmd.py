"""`awf-archive decisions review`: go through what waits for a person's word, one after the other.

Each answer is written at once, so that leaving in the middle loses nothing. On a terminal one key is an answer; from
a pipe a line is.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.cli.decisions_view import line
from awf_archive.cli.keys import Lines, answers
from awf_archive.domain.decisions import Decision
from awf_archive.domain.wording.decision_words import DECISION_WORDS, DecisionWords
from awf_archive.errors import NegativeAnswerError, UsageError
from awf_archive.services import decisions_changes as changes
from awf_archive.services.decisions_list import place_of, to_review
from awf_archive.services.decisions_review import around
from awf_archive.store.archive import Archive


@dataclass(slots=True, kw_only=True)
class _Review:
    """One going through."""

    archive: Archive
    words: DecisionWords
    given: Lines
    count: Counter[str] = field(default_factory=Counter)

    def goes_through(self, waiting: list[Decision]) -> None:
        """Ask about each, until the person quits or the answers end."""
        for number, found in enumerate(waiting, 1):
            one = changes.require(self.archive.all_decisions(found.feature), found.id, found.feature)
            self._show(one, number, len(waiting))
            while (key := self.given.key()) not in _QUIT:
                if self._is_answered(one, str(key)):
                    break
                one = changes.require(self.archive.all_decisions(one.feature), one.id, one.feature)
            else:
                return

    def _show(self, one: Decision, number: int, total: int) -> None:
        words, said = self.words, around(self.archive, one)
        place = f"{one.feature}#{one.turn}" if one.turn else one.feature
        sides = [(words.user_said, said.user), (words.assistant_said, said.assistant)]
        told = sides[::-1] if said.user_is_later else sides
        others = {other.id: other for other in self.archive.decisions(one.feature)}
        lines = [
            "",
            words.review_head.format(n=number, total=total, place=place),
            *(f"{who}:\n{_indented(text)}" for who, text in told if text),
            "",
            line(one),
            f"  {words.labels['reason']}: {one.reason}" if one.reason else "",
            f"  {words.labels['options']}: {' | '.join(one.options)}" if one.options else "",
            f"  {words.labels['evidence']}: “{one.evidence}”" if one.evidence else "",
            *(
                f"  {words.may_supersede.format(id=name, text=others[name].text)}"
                for name in one.may_supersede
                if name in others
            ),
            words.review_keys,
        ]
        output.text("\n".join(text for at, text in enumerate(lines) if text or at in {0, len(told) + 2}))

    def _is_answered(self, one: Decision, key: str) -> bool:
        """Do what a key says; return whether the next one may come."""
        answer = _ANSWERS.get(key)
        if answer is None:
            output.text(self.words.review_unknown.format(key=key))
            return False
        return answer(self, one)

    def accept(self, one: Decision) -> bool:
        """Accept it; one that was accepted before only stands beside what it seemed to replace."""
        if one.may_supersede:
            changes.keep_both(self.archive, one.feature, one.id)
        changes.accept(self.archive, one.feature, one.id)
        return self._done("accepted", self.words.accepted.format(id=one.id))

    def reject(self, one: Decision) -> bool:
        """Reject it."""
        changes.reject(self.archive, one.feature, one.id)
        return self._done("rejected", self.words.rejected.format(id=one.id))

    def edit(self, one: Decision) -> bool:
        """Ask for better words, then for an answer to the same decision."""
        text, reason = self._typed(self.words.ask_text), self._typed(self.words.ask_reason)
        if not text and not reason:
            output.text(self.words.nothing_to_edit)
            return False
        changes.edit(
            self.archive, one.feature, one.id, changes.Edit(text=text or None, reason=reason or None)
        )
        self._done("edited", self.words.edited.format(id=one.id))
        output.text(self.words.review_keys)
        return False

    def supersede(self, one: Decision) -> bool:
        """Ask which earlier one it replaces, unless that is known."""
        old = one.may_supersede[0] if len(one.may_supersede) == 1 else self._typed(self.words.ask_old)
        if not old:
            return False
        try:
            feature, number = place_of(self.archive, old, one.feature)
            changes.supersede(self.archive, feature, number, one.id)
        except (UsageError, NegativeAnswerError) as problem:
            output.text(f"{problem.message} {problem.hint}")
            return False
        return self._done("superseded", self.words.superseded.format(old=number, new=one.id))

    def skip(self, _one: Decision) -> bool:
        """Leave it as it is."""
        self.count["skipped"] += 1
        return True

    def _typed(self, question: str) -> str:
        """Ask for a line; empty when nothing was typed."""
        output.text(f"{question}:")
        return self.given.line()

    def _done(self, what: str, told: str) -> bool:
        self.count[what] += 1
        output.text(told)
        return True


_ANSWERS: Mapping[str, Callable[[_Review, Decision], bool]] = {
    "a": _Review.accept,
    "r": _Review.reject,
    "e": _Review.edit,
    "u": _Review.supersede,
    "s": _Review.skip,
}
_QUIT = ("q", None)


@click.command()
@click.option("--feature", default="", help="Only this feature.")
@setup.common
def review(*, feature: str, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Go through the proposed ones, and those that seem to replace another, with what was said around them.

    a accepts, r rejects, e edits, u lets it take an earlier one's place, s skips, q quits. Each answer is saved
    at once.
    """
    ready = setup.prepare(workspace, lang)
    words = DECISION_WORDS[ready.words.language]
    waiting = list(to_review(ready.archive, feature))
    code = setup.tell_damaged(ready, feature or None)
    if as_json:
        output.json_object({"decisions": [one.to_json() for one in waiting]})
        return code
    if not waiting:
        output.text(words.review_none)
        return code
    with answers() as given:
        going = _Review(archive=ready.archive, words=words, given=given)
        going.goes_through(waiting)
    names = ("accepted", "rejected", "superseded", "edited", "skipped")
    output.text("\n" + words.review_done.format(**{name: going.count[name] for name in names}))
    return code


def _indented(text: str) -> str:
    return "\n".join(f"  │ {part}" for part in text.split("\n"))
