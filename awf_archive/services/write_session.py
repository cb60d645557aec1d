"""Where new turns go and how the session that holds them is described (SPEC 1.4, 1.6)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from awf_archive.domain.decisions import Status
from awf_archive.domain.escape import json_pages
from awf_archive.domain.formats import is_partial
from awf_archive.domain.ids import SessionId
from awf_archive.domain.manifest import Manifest, next_number
from awf_archive.domain.numbering import Numbers, plan_numbers
from awf_archive.domain.session import Session, SourceInfo, Summary
from awf_archive.domain.transcript import PROMPTS_ONLY, Branch, Problem, Transcript, Usage
from awf_archive.domain.wording import choose
from awf_archive.services.known import Known
from awf_archive.services.save_turns import Gathered, NewTurns, into, save_turns
from awf_archive.store import atomic
from awf_archive.store.layout import METADATA, Layout, session_name

_MOST_FILES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Saving:
    """How a checkpoint is to save."""

    source_name: str
    now: str
    phase: str | None
    language: str
    threshold: int
    keep_all: bool
    extend: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The session that new turns go to."""

    session_id: SessionId
    extended: Session | None
    """What it holds already; None for a new one."""
    first_turn: int
    continues: SessionId | None
    saving: Saving

    def new_turns(self, transcript: Transcript, known: Known) -> NewTurns:
        """Return which turns are new and where they go."""
        keep_all = self.saving.keep_all
        language = self.extended.language if self.extended else self.saving.language
        return NewTurns(
            outlines=tuple(one for one in transcript.outlines if known.is_new(one, keep_all=keep_all)),
            session_id=self.session_id,
            first_turn=self.first_turn,
            first_local=len(self.extended.turns) + 1 if self.extended else 1,
            keep_all=keep_all,
            words=choose(language),
        )

    def numbers(self, manifest: Manifest, new: int) -> Numbers:
        """Return the global numbers of `new` turns, and the chunk that is due."""
        return plan_numbers(
            last_end=manifest.last_end,
            last_chunked=manifest.last_chunked,
            new=new,
            threshold=self.saving.threshold,
            open_since=self.extended.global_range[0] if self.extended else None,
        )


def choose_target(layout: Layout, feature: str, manifest: Manifest, known: Known, saving: Saving) -> Target:
    """Return the session that new turns go to: the open one for an auto-save while it is not full, else a new one."""
    extended = known.sessions[known.open_session] if saving.extend and known.open_session else None
    if extended and len(extended.turns) >= saving.threshold:
        extended = None
    return Target(
        session_id=extended.session_id if extended else _next_session(layout, feature, manifest),
        extended=extended,
        first_turn=manifest.last_end + 1,
        continues=extended.continues if extended else known.continues,
        saving=saving,
    )


def _next_session(layout: Layout, feature: str, manifest: Manifest) -> SessionId:
    """Return one more than the highest number in either list or on disk."""
    folder = layout.sessions(feature)
    on_disk = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    return session_name(next_number([*(one.session_id for one in manifest.sessions), *on_disk]))


def write_session(
    layout: Layout, feature: str, transcript: Transcript, target: Target, known: Known
) -> tuple[Gathered, Session | None]:
    """Write the files of new turns; a new session's folder appears whole or not at all.

    Nothing of it exists until the manifest names it. Returns None for the session when no turn was kept.
    """
    new = target.new_turns(transcript, known)
    folder = layout.session(feature, target.session_id)
    if not new.outlines:
        return Gathered(), None
    if target.extended:
        gathered = save_turns(transcript, new, into(folder, atomic.write))
        return gathered, session_of(transcript, target, gathered)
    with atomic.staging(folder) as staged:
        put = into(staged.folder, staged.write)
        gathered = save_turns(transcript, new, put)
        session = session_of(transcript, target, gathered)
        if session:
            put(METADATA, json_pages(session.to_json()))
        staged.is_wanted = session is not None
    return gathered, session


def session_of(transcript: Transcript, target: Target, gathered: Gathered) -> Session | None:
    """Return the session with its new turns; None when there are none."""
    if not gathered.entries:
        return None
    session = target.extended or Session(
        session_id=target.session_id,
        created_at=target.saving.now,
        global_range=(target.first_turn, target.first_turn),
        turn_count=0,
        phase="",
        continues=target.continues,
        language=target.saving.language,
    )
    described = _described(session, transcript, target.saving, gathered)
    return described.with_turns((*session.turns, *gathered.entries))


def _described(session: Session, transcript: Transcript, saving: Saving, gathered: Gathered) -> Session:
    from awf_archive.domain.summary import best_title, infer_phase, topics

    summary = session.summary
    titles = [*(one.title for one in session.turns if one.branch is Branch.MAIN), *gathered.titles]
    found = tuple(one.text for _, one in gathered.decisions if one.status is Status.ACCEPTED)
    return replace(
        session,
        phase=saving.phase or session.phase or infer_phase(gathered.signs),
        title=best_title((transcript.title, session.title), titles),
        source=SourceInfo(
            format=transcript.format,
            window=transcript.windows[0],
            windows=transcript.windows,
            name=saving.source_name,
            tool_version=transcript.tool_version,
            partial=is_partial(transcript.format)
            or any(one.code == PROMPTS_ONLY for one in transcript.problems),
        ),
        summary=Summary(
            topics=topics(titles, (*summary.files, *gathered.files)),
            decisions=tuple(dict.fromkeys((*summary.decisions, *found))),
            files=tuple(dict.fromkeys((*summary.files, *gathered.files)))[:_MOST_FILES],
        ),
        tokens=_added(session.tokens, gathered.usage),
        skipped=(*session.skipped, *gathered.skipped),
        problems=(*transcript.problems, *filter(_is_of_turn, session.problems), *gathered.problems),
    )


def _is_of_turn(problem: Problem) -> bool:
    """Whether a problem stays with a saved turn; the others are looked for anew in the file as it is now."""
    return problem.turn > 0


def _added(tokens: Mapping[str, int], usage: Usage) -> dict[str, int]:
    more = {
        "input": usage.input,
        "output": usage.output,
        "cacheRead": usage.cache_read,
        "cacheWrite": usage.cache_write,
    }
    return {name: tokens.get(name, 0) + count for name, count in more.items()}
