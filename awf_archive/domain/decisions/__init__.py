"""Decisions as records: what was decided, why, among which options, by whom, where (SPEC 1.8, 9).

    found.py      Found, Place, Side, Status, Context, Exchange: what a harvester takes and gives
    records.py    Decision: one entry of `decisions.json`; its id is for ever
    harvest.py    HARVESTERS, the table, and `harvest(user, blocks, context)`, which runs them all over a turn
    joining.py    what was found joins the list: new ids, restatements, what seems to replace what

A harvester is a function of one turn, without I/O:

    def find(user: str, blocks: Sequence[Block], context: Context) -> Iterable[Found]

`user` is `prompt_text` of the user's side, `blocks` the assistant's side whole (tool calls too; its words are
`prompt_text(blocks)`), `context.before` the words of up to `TURNS_BEFORE` turns before it, oldest first, so that
an "ok, do it" can be read with the proposal that it agrees to (read from disk when asked for: look for a cue in the
turn first; in a test `Context.of(Exchange(user=…, assistant=…))`). Adding one = a module here and a row in
HARVESTERS.

What it must keep to: `text` and `evidence` through `one_line(…, 300)` and `one_line(…, 500)`; `place` says where
the exact words stand (`offset` into that side's `prompt_text`, `turns_back=1` for the turn before);
`status=Status.PROPOSED` and a `confidence` below 1 unless the user's own words confirm; `call_id` only for what a
tool call shows; `matter` where it is known, so that a contrary decision can be told from another one. Harvesting
the same turn again must give the same: nothing may depend on the clock or on what is recorded already. Doubles
need no care: the joiner knows a decision by its call, else by its turn and `normalised` text.

This module is imported by every command that reads an archive: only the values are here, harvesters load when
`domain.decisions.harvest` is imported.
"""

from awf_archive.domain.decisions.found import (
    NO_CONTEXT,
    TURNS_BEFORE,
    Context,
    Exchange,
    Found,
    Place,
    Side,
    Status,
)
from awf_archive.domain.decisions.records import Decision

__all__ = [
    "NO_CONTEXT",
    "TURNS_BEFORE",
    "Context",
    "Decision",
    "Exchange",
    "Found",
    "Place",
    "Side",
    "Status",
]
