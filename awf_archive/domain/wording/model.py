"""The shape of one language's texts; a missing text is a type error (spec/wording.md).

Named tuples, for dataclasses of this size take 20 ms to load, and hooks have 60.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from awf_archive.domain.transcript import NoteKind


class ResultWords(NamedTuple):
    """The table that `checkpoint` prints (SPEC 1.9)."""

    headline: str
    columns: tuple[str, str]
    feature: str
    session: str
    saved: str
    saved_value: str
    """With {n}."""
    updated: str
    skipped: str
    numbers: str
    numbers_value: str
    """With {a} and {b}."""
    summary: str
    summary_value: str
    """With {chunk}, {a} and {b}."""
    advice: str
    nothing_new: str
    dry_run: str
    """Headline of a plan; nothing was written."""
    chosen_by: Mapping[str, str]
    """How the feature was chosen, by `FeatureRule` value."""
    empty: str
    """A transcript in a known format without any conversation, with {path}."""
    problems: str
    """With {n}, {records}: how much of the transcript could not be read."""
    recovered: str
    """With {session}: a session left by a crash is now part of the archive."""
    set_aside: str
    """With {path}: what a crash left half done and was moved out of the way."""
    totals: str
    """With {files}, {new}, {unchanged}, {empty}, {failed}, {turns}: the last line of `--all`."""


class ChunkWords(NamedTuple):
    """The literal headings of a chunk file (SPEC 1.8)."""

    title: str
    """With {number}, {a} and {b}."""
    overview: str
    decisions: str
    points: str
    point: str
    """With {turn} and {text}."""
    files: str
    no_decisions: str
    decision_turn: str
    """Appended to a decision, with {turn}."""
    open: str
    """Heading: questions and tasks that stand open."""
    errors: str
    """Heading: what went wrong and how it was mended."""
    began: str
    """The overview's first sentence, with {text}; so are the next three."""
    then: str
    outcome: str
    """The last one, when the assistant says it."""
    last: str
    """The last one, when the user says it."""
    comma: str
    """Between two names."""
    proposed: str
    """Before a decision that nobody confirmed."""
    more_decisions: str
    """With {n}."""
    only_read: str
    """With {files}, like the next."""
    mentioned: str
    more_files: str
    """Appended to names, with {n}."""
    more_elsewhere: str
    """With {n}."""
    fixed: str


class IndexWords(NamedTuple):
    """What `index` prints."""

    health: Mapping[str, str]
    current: str
    stale: str
    """The archive changed since; the next search catches up."""
    facts: str
    """With {documents}, {keys}, {segments} and {size}."""
    built: str
    """With {keys} and {documents}."""
    label: str
    """Before the numbers of the progress bar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchWords:
    """What `search` prints around its hits."""

    headline: str
    """With {topic}."""
    nothing: str
    """With {topic}."""
    notes: Mapping[str, str]
    """Why the hits are not simply those that hold every word, by the search's note."""
    did_you_mean: str
    """With {topic}."""
    rebuilt: Mapping[str, str]
    """Why the index was made anew, by what was wrong with it."""
    is_behind: str
    """Another process is writing the index."""
    unread: str
    """With {problem}: a file of the archive that cannot be searched."""
    found_in: Mapping[str, str]
    """What of a turn the passage is from."""
    index: "IndexWords"
    more: str
    """With {shown}, {total} and {offset}."""
    turn: str
    """With {turn}."""
    kinds: Mapping[str, str]


class ListWords(NamedTuple):
    """What `list` and `show` print."""

    columns: tuple[str, ...]
    """Feature, session, turns, date, title."""
    empty: str
    abandoned: str
    partial: str
    """Of a turn whose transcript its tool has deleted."""
    turn: str
    """With {turn}."""


class SiteWords(NamedTuple):
    """What the site says around a conversation (SPEC 6)."""

    site_name: str
    home: str
    features: str
    feature: str
    sessions: str
    session: str
    turns: str
    turn: str
    """With {n}."""
    global_number: str
    """With {n}."""
    decisions: str
    decision: str
    summary: str
    summaries: str
    files: str
    latest_sessions: str
    last_activity: str
    no_sessions: str
    """Shown on a home page without any session; names the command to run."""
    phase: str
    model: str
    tokens: str
    prompts_only: str
    hide_tools: str
    open_all: str
    copy_link: str
    copied: str
    previous: str
    next: str
    page_of: str
    """With {page} and {pages}."""
    continues: str
    """With {session}."""
    abandoned: str
    lines: str
    """With {n}, as the `n_` texts below."""
    input: str
    output: str
    error: str
    thinking: str
    sub_agent: str
    prompt: str
    attachment: str
    link: str
    image_missing: str
    remote_image: str
    truncated_line: str
    """With {n}: characters left out of a long line."""
    excerpt: str
    """With {n}: a message too long to render, and its length."""
    full_text: str
    unanswered: str
    problems: str
    """With {n}, as the `n_` texts below."""
    made_by: str
    search: str
    theme_light: str
    theme_dark: str
    built: str
    """Printed by `site build`, with {sessions}, {pages}, {size} and {path}."""
    building: str
    all_sessions: str
    latest_decisions: str
    all_decisions: str
    no_decisions: str
    timeline: str
    documents: str
    """Of the spec: requirements, design, tasks."""
    topics: str
    files_touched: str
    range_of_turns: str
    """With {a} and {b}: global numbers."""
    n_turns: str
    """With {n}; one and many, between them `|` where the language tells them apart. The other `n_` likewise."""
    n_sessions: str
    n_decisions: str
    n_calls: str
    """With {n}: tool calls."""
    n_more: str
    """With {n}: further entries of a list."""
    date: str
    title: str
    source: str
    status: str
    reason: str
    options: str
    chosen: str
    answer: str
    plan: str
    image: str
    filter: str
    all_features: str
    any_status: str
    show_keys: str
    keys_help: str
    edited: str
    """A turn file that is not as it was saved."""
    foreign: str
    """A turn that another window wrote into the transcript."""
    not_on_disk: str
    unreadable: str
    """With {what}."""
    permalink: str
    """Title of the page that leads from a global number to its turn."""
    permalink_unknown: str
    permalink_note: str
    """What may be typed there; with {example}."""
    permalink_script: str
    """With {example}."""
    not_found: str
    not_found_note: str
    partial: str
    """Badge of a session of which some turns are prompts only."""
    partial_note: str
    """Why a session holds prompts only."""
    former: str
    """With {place}: a number that a turn bore before a merge or a move."""
    former_note: str
    search_note: str
    """Beside the search box of the home page."""
    statistics: str
    turns_a_week: str
    hours_of_week: str
    tools_used: str
    models_used: str
    formats_used: str
    tokens_known: str
    """Where the sources tell."""
    turns_by_feature: str
    no_numbers: str
    n_failed: str
    """Tool calls that answered with an error."""
    no_files: str
    touched_by: str
    no_topics: str
    topics_note: str
    new_since: str
    """With {date}."""
    search_all: str
    """Title of the page that searches the words of every turn."""
    search_words: str
    search_script: str
    search_nothing: str
    search_off: str
    show_menu: str
    show_more: str
    n_found: str
    since: str
    until: str
    any_kind: str
    copy_text: str
    copy_markdown: str
    asked_again: str
    """With {id}: a later decision about the same question."""
    asked_before: str
    """With {id}."""
    said_again: str
    """Before the later turns that say a decision again or confirm it."""
    evidence: str
    moved_to: str
    """With {place}."""
    feed: str
    serving: str
    """Printed by `site serve`, with {url}."""
    rebuilt: str
    """With {n}: files that changed."""
    published: str
    """Printed by `site publish`, with {where}."""
    unchanged: str
    """With {where}."""
    weekdays: tuple[str, ...]
    """Monday first, as short as the language has them."""
    kinds: Mapping[str, str]
    """Of what the search page finds."""
    counters: Mapping[str, str]
    """Below the numbers of the home page; one and many, between them `|` where the language tells them apart."""
    token_kinds: Mapping[str, str]
    """By their names in `metadata.json`."""
    phases: Mapping[str, str]
    """By their names in `metadata.json`; another skill's phase is shown as it is."""
    starts: Mapping[str, str]
    """How a turn began, by `Start` value; a typed prompt is not named."""
    statuses: Mapping[str, str]
    """By `Status` value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """Every text of one language."""

    language: str
    """`en`, `vi` or `zh`."""
    user_heading: str
    assistant_heading: str
    prompt_label: str
    thinking_label: str
    result_label: str
    error_label: str
    note_labels: Mapping[NoteKind, str]
    result: ResultWords
    chunk: ChunkWords
    search: SearchWords
    listing: ListWords
    site: SiteWords
