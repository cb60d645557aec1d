"""Rules that a well-kept library brings: detect-secrets in the branch that Bridgecrew releases monthly.

It is loaded only when a text holds one of the literals below; why it and not another is in docs/secrets.md.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryRule:
    """A detector of the library's, asked only where one of the literals stands."""

    kind: str
    anchors: tuple[str, ...]
    module: str
    """Below `detect_secrets.plugins`."""
    detector: str
    least: int = 16
    """Shorter matches are words: some of its rules ask for ten characters of any kind."""


LIBRARY_RULES: tuple[LibraryRule, ...] = (
    LibraryRule(
        kind="slack-token",
        anchors=("xox", "hooks.slack.com/services/T"),
        module="slack",
        detector="SlackDetector",
    ),
    LibraryRule(kind="sendgrid-key", anchors=("SG.",), module="sendgrid", detector="SendGridDetector"),
    LibraryRule(
        kind="square-key", anchors=("sq0csp-",), module="square_oauth", detector="SquareOAuthDetector"
    ),
    LibraryRule(kind="npm-token", anchors=("npm_", "_authToken"), module="npm", detector="NpmDetector"),
    LibraryRule(
        kind="mailchimp-key",
        anchors=("mailchimp", "MAILCHIMP"),
        module="mailchimp",
        detector="MailchimpDetector",
    ),
    LibraryRule(
        kind="discord-token",
        anchors=("discord", "DISCORD"),
        module="discord",
        detector="DiscordBotTokenDetector",
    ),
    LibraryRule(
        kind="twilio-key",
        anchors=("twilio", "TWILIO"),
        module="twilio",
        detector="TwilioKeyDetector",
    ),
    LibraryRule(
        kind="azure-storage-key",
        anchors=("AccountKey=", "azure", "AZURE"),
        module="azure_storage_key",
        detector="AzureStorageKeyDetector",
        least=88,
    ),
    LibraryRule(
        kind="artifactory-token", anchors=("AKC",), module="artifactory", detector="ArtifactoryDetector"
    ),
    LibraryRule(
        kind="cloudant-key",
        anchors=("cloudant", "CLOUDANT"),
        module="cloudant",
        detector="CloudantDetector",
    ),
    LibraryRule(
        kind="softlayer-key",
        anchors=("softlayer", "SOFTLAYER"),
        module="softlayer",
        detector="SoftlayerDetector",
    ),
)
"""The library's detectors that we use; docs/secrets.md says which not."""


@cache
def denylist(rule: LibraryRule) -> tuple[re.Pattern[str], ...]:
    """Return the library's patterns for a kind; loads it."""
    module = import_module(f"detect_secrets.plugins.{rule.module}")
    return tuple(getattr(module, rule.detector).denylist)
