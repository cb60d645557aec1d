"""`site build --fail-on-secrets`: for CI, which must not publish what had to be masked (docs/secrets.md)."""

from collections import Counter
from collections.abc import Sequence

import click

from awf_archive.cli import setup
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.secret_words import SECRET_WORDS, kinds_text
from awf_archive.errors import NegativeAnswerError

FAIL_ON_SECRETS = click.option(
    "--fail-on-secrets", is_flag=True, help="End with an error when secrets had to be masked: for CI."
)


def fail_on_secrets_in(everyone: Sequence[setup.Setup]) -> None:
    """Raise NegativeAnswerError when an archive holds secrets, which the site shows masked."""
    from awf_archive.services.scan import scan_archive

    kinds = Counter(spot.kind for ready in everyone for spot in scan_archive(ready.layout).spots)
    if kinds:
        text = counted(
            SECRET_WORDS[everyone[0].words.language].site, n=kinds.total(), kinds=kinds_text(kinds)
        )
        raise NegativeAnswerError(text, "awf-archive scan")
