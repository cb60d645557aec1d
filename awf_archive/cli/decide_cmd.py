"""`awf-archive decide`: record a decision by hand."""

import sys
from collections.abc import Callable
from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.cli.decisions_view import line
from awf_archive.cli.secret_note import tell_secrets
from awf_archive.domain.decisions import Found, Status
from awf_archive.domain.features import check_feature
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.wording.decision_words import DECISION_WORDS, DecisionWords
from awf_archive.services.decisions_changes import Recorded, recorded

_MOST = 40_000
"""Bytes read from stdin."""


@click.command()
@click.argument("text", nargs=-1)
@click.option("--reason", default="", help="Why.")
@click.option("--option", "options", multiple=True, help="What was considered; may be given several times.")
@click.option("--file", "files", multiple=True, help="A file that it is about; may be given several times.")
@click.option("--feature", help="Where it belongs. [default: the feature in work]")
@click.option("--supersedes", multiple=True, metavar="D-…", help="An earlier one whose place it takes.")
@click.option(
    "--by", type=click.Choice(["user", "assistant"]), default="user", help="Who decided. [default: user]"
)
@setup.common
def command(  # noqa: PLR0913 - one option a line
    *,
    text: tuple[str, ...],
    reason: str,
    options: tuple[str, ...],
    files: tuple[str, ...],
    feature: str | None,
    supersedes: tuple[str, ...],
    by: str,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Record a decision: TEXT, or what stands on stdin.

    \b
    awf-archive decide "use SQLite" --reason "no server to run" --option Redis --option SQLite
    awf-archive decide "use Postgres" --supersedes D-003

    What was decided already in these words is not recorded twice: it is accepted.
    """
    ready = setup.prepare(workspace, lang)
    words = DECISION_WORDS[ready.words.language]
    said = " ".join(text) if text and text != ("-",) else asked()
    kept = _masked(ready) if ready.settings.redact == "archive" else str
    found = Found(
        text=one_line(kept(said), 300),
        reason=one_line(kept(reason), 300),
        options=tuple(one_line(kept(one), 300) for one in options),
        files=files,
        by=by,
        found_by="command",
        evidence=one_line(kept(said), 500),
        supersedes=supersedes,
    )
    where = check_feature(feature) if feature else _feature(ready)
    done = recorded(ready.archive, where, found, setup.now())
    if as_json:
        output.json_object(
            {**done.decision.to_json(), "known": done.known_as is not None, "newFeature": done.is_new_feature}
        )
    else:
        output.text(f"✅ {line(done.decision)}\n{_told(done, words)}")
    tell_secrets(ready, done.decision)
    return 0


def _told(done: Recorded, words: DecisionWords) -> str:
    """Return where it was recorded, or that it stood there already."""
    if done.known_as is Status.ACCEPTED:
        text = words.known
    elif done.known_as is not None:
        text = words.known_accepted
    else:
        text = words.recorded_new if done.is_new_feature else words.recorded
    return text.format(feature=done.decision.feature)


def _masked(ready: setup.Setup) -> Callable[[str], str]:
    """Return what masks secrets in what is to be recorded (setting `redact = "archive"`)."""
    from awf_archive.domain.redaction import mask
    from awf_archive.services.redacted_archive import allowed_in

    allowed = allowed_in(ready.layout.root)
    return lambda text: mask(text, allowed)[0]


def _feature(ready: setup.Setup) -> str:
    from awf_archive.services.decisions_feature import feature_of_work

    return feature_of_work(ready.archive)


def asked() -> str:
    """Return what stands on stdin; nothing where a terminal is."""
    if sys.stdin.isatty():
        return ""
    return sys.stdin.buffer.read(_MOST).decode("utf-8", "replace")
