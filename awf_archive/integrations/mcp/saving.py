"""What the tool `checkpoint` does; loaded at the first save."""

from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.secret_words import SECRET_WORDS, kinds_text
from awf_archive.errors import ArchiveError
from awf_archive.integrations.mcp.checkpoint_tool import CheckpointAnswer, CheckpointGiven
from awf_archive.integrations.mcp.conversation import conversation_of
from awf_archive.integrations.mcp.desk import Desk, now
from awf_archive.services.checkpoint import Checkpoint, Request, checkpoint
from awf_archive.services.index import sync


def save(desk: Desk, given: CheckpointGiven) -> CheckpointAnswer:
    """Save what is new. Raises InputError when no conversation is found, and as `checkpoint` does."""
    found = conversation_of(desk, given.conversation)
    request = Request(
        transcript=found.path,
        format=found.format,
        now=now(),
        feature=given.feature or None,
        language=desk.words.language,
        threshold=desk.settings.chunk_threshold,
        redact=desk.settings.redact,
        vaults=desk.vaults,
        dry_run=given.dry_run,
    )
    done = checkpoint(desk.layout, request)
    return _answer(done, tuple(_notes(desk, done)))


def _answer(done: Checkpoint, notes: tuple[str, ...]) -> CheckpointAnswer:
    first, last = done.numbers or (0, 0)
    return CheckpointAnswer(
        feature=done.feature,
        feature_rule=done.rule.value,
        session=done.session or "",
        conversation=done.window,
        title=done.title,
        saved_turns=done.saved,
        updated_turns=done.updated,
        skipped_turns=len(done.skipped),
        turns=f"{first}-{last}" if done.numbers else "",
        chunk=done.chunk.chunk_id if done.chunk else "",
        problems=len(done.problems),
        dry_run=done.is_dry,
        notes=notes,
    )


def _notes(desk: Desk, done: Checkpoint) -> list[str]:
    """Return what is to be known of a save; the index is brought along on the way, as the command does."""
    notes = [f"Finished what a crash had left: {', '.join(done.adopted)}."] if done.adopted else []
    notes += [f"Set aside what a crash had left half done: {done.set_aside}."] if done.set_aside else []
    if done.secrets:
        words = SECRET_WORDS["en"]
        said = words.saved_masked if done.are_masked else words.saved
        notes.append(counted(said, n=sum(done.secrets.values()), kinds=kinds_text(done.secrets)))
    if (done.saved or done.updated or done.adopted) and not done.is_dry:
        try:
            sync(desk.archive)
        except ArchiveError as problem:
            notes.append(f"{problem.message} {problem.hint}")  # the archive is safe; the next search mends it
    return notes
