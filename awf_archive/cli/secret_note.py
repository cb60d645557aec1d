"""What a person is told when the words of a decision look like a secret (docs/secrets.md)."""

from awf_archive.cli import output
from awf_archive.cli.setup import Setup
from awf_archive.domain.decisions import Decision
from awf_archive.domain.redaction import findings
from awf_archive.domain.wording.secret_words import SECRET_WORDS
from awf_archive.services.redacted_archive import allowed_in


def tell_secrets(ready: Setup, *decisions: Decision) -> None:
    """Name the kinds of secret in decisions just recorded, never the secret, and say how to take it out."""
    words = SECRET_WORDS[ready.words.language]
    allowed = allowed_in(ready.layout.root)
    for one in decisions:
        texts = (one.text, one.reason, *one.options, *one.files, one.evidence, one.found_text)
        kinds = sorted({found.kind for text in texts for found in findings(text, allowed)})
        if kinds:
            output.note("⚠️ " + words.decided.format(id=one.id, kinds=", ".join(kinds)))
