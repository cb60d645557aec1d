"""What keys and tokens look like: one row per kind, found by a literal that every secret of the kind contains.

The rules are modelled on those that gitleaks and detect-secrets publish; docs/secrets.md names what each finds.
Rules for services that few meet are the library's own (`secret_patterns_library`); rules for what follows a word
such as "password" stand in `secret_patterns_words`.
"""

import base64
import binascii
import json
import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One kind of secret."""

    kind: str
    anchors: tuple[str, ...]
    """Literals, one of which every secret of the kind holds: looking for a literal costs next to nothing."""
    pattern: re.Pattern[str]
    """Matches from the literal on; its last group is the secret, or all of it."""
    is_secret: Callable[[str], bool] = bool
    """Tells a secret from what only looks like one."""
    lead: int = 0
    """How many characters before its literal the pattern begins."""


_START = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))"
"""Where a token may begin: not inside a word or encoded data, but behind an escape such as the `\\n` of JSON."""


def _token(
    kind: str, anchors: str, pattern: str, is_secret: Callable[[str], bool] = bool, *, lead: int = 0
) -> Rule:
    """Return the rule for a token that stands alone and holds one of `anchors`, `lead` characters in."""
    compiled = re.compile(rf"{_START}(?:{pattern})(?![A-Za-z0-9])")
    return Rule(kind=kind, anchors=tuple(anchors.split()), pattern=compiled, is_secret=is_secret, lead=lead)


def is_mixed(value: str) -> bool:
    """Whether a part of a value is drawn, not written: letters and digits in one run of ten or more.

    >>> is_mixed("sk-4f9Kq2mZx81LpW"), is_mixed("sk-ant-a-kebab-case-name-2")
    (True, False)
    """
    return any(
        len(part) >= _RUN and any(map(str.isdigit, part)) and any(map(str.isalpha, part))
        for part in re.split(r"[-_./]", value)
    )


_RUN = 10


def _is_key_id(value: str) -> bool:
    """Whether an AWS id is not the one of AWS's own documentation."""
    return not value.endswith("EXAMPLE")


def is_jwt(value: str) -> bool:
    """Whether the first part of a token is a JSON object: what `eyJ` begins may be any base64."""
    head = value.split(".", 1)[0]
    try:
        decoded = base64.urlsafe_b64decode(head + "=" * (-len(head) % 4))
        return isinstance(json.loads(decoded), dict)
    except (binascii.Error, ValueError):
        return False


_EDGE = r"[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
_BETWEEN = r"(?:\s|\\r|\\n|[>|+ ])*"
_PRIVATE_KEY = re.compile(
    rf"-----BEGIN {_EDGE}(?:(?:(?!-----)[\s\S]){{24,20000}}-----END {_EDGE}"
    rf"|{_BETWEEN}(?:[A-Za-z0-9+/=]{{16,}}{_BETWEEN})+)"
)
"""A block, or what is left of one whose end was cut off; the mere heading in a text about keys is none."""


def _is_key_block(value: str) -> bool:
    """Whether there is a key between the lines, not prose or an ellipsis."""
    return bool(re.search(r"[A-Za-z0-9+/=]{16}", value.replace("PRIVATE", "")))


_PLACEHOLDER = re.compile(
    r"(?i)(?:my|your|new|old)?[-_]?(?:pass|passwd|password|passwort|pwd|secret)"
    r"|user(?:name)?|postgres|root|admin|guest|test|example|change-?me|x{3,}|redacted"
)


def is_own_password(value: str) -> bool:
    """Whether the password in an address is one, not the place where one goes."""
    bare = value.strip("<>[]{}()*$%")
    return bool(bare) and bare == value and not _PLACEHOLDER.fullmatch(bare)


_ADDRESS = re.compile(r"://[^\s:@/\"'`<>\\]{0,80}:([^\s:@/\"'`<>\\]{3,200})@(?=[A-Za-z0-9\[])")

RULES: tuple[Rule, ...] = (
    Rule(kind="private-key", anchors=("-----BEGIN ",), pattern=_PRIVATE_KEY, is_secret=_is_key_block),
    _token("aws-access-key-id", "AKIA ASIA ABIA ACCA", r"A[KSBC][IC]A[0-9A-Z]{16}", _is_key_id),
    _token("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9_]{36,255}"),
    _token("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{50,255}"),
    _token("gitlab-token", "glpat- gldt- glrt- glptt-", r"gl[a-z]{2,3}t-[A-Za-z0-9_.-]{20,255}", is_mixed),
    _token("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{32,200}", is_mixed),
    _token("openai-key", "sk-", r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,300}", is_mixed),
    _token("provider-key", "sk-or-", r"sk-or-v1-[0-9a-f]{64}"),
    _token("openai-key", "sk-", r"sk-[A-Za-z0-9]{20,80}", is_mixed),
    _token("google-api-key", "AIza", r"AIza[A-Za-z0-9_-]{35}"),
    _token("google-oauth", "GOCSPX- ya29.", r"(?:GOCSPX-|ya29\.)[A-Za-z0-9_-]{24,500}", is_mixed),
    _token(
        "provider-key",
        "xai- gsk_ hf_ pplx- r8_ nvapi- tvly-",
        r"(?:xai-|gsk_|hf_|pplx-|r8_|nvapi-|tvly-)[A-Za-z0-9_-]{20,120}",
        is_mixed,
    ),
    _token("stripe-key", "k_live_ k_test_", r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,250}", lead=1),
    _token("stripe-key", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,250}"),
    _token("slack-token", "xox xapp-", r"(?:xox[ecd][.-]|xapp-)[A-Za-z0-9%./+-]{20,300}", is_mixed),
    _token("pypi-token", "pypi-AgEIcHlwaS", r"pypi-AgEIcHlwaS[A-Za-z0-9_-]{50,500}"),
    Rule(
        kind="telegram-token",
        anchors=(":AA",),
        pattern=re.compile(r"(?<=\d{8}):AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    ),
    _token("digitalocean-token", "_v1_", r"do[opr]_v1_[a-f0-9]{64}", lead=3),
    _token("shopify-token", "shp", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _token(
        "service-token",
        "lin_api_ glsa_ sntrys_ hvs. dckr_pat_",
        r"(?:lin_api_|glsa_|sntrys_|hvs\.|dckr_pat_)[A-Za-z0-9_.=+/-]{24,300}",
        is_mixed,
    ),
    _token("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    _token(
        "jwt", "eyJ", r"eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{8,2000}", is_jwt
    ),
    Rule(
        kind="bearer-token",
        anchors=("Bearer ", "bearer ", "BEARER "),
        pattern=re.compile(r"(?i:bearer)\s{1,3}([A-Za-z0-9._~+/-]{16,4000}=*)"),
        is_secret=is_mixed,
    ),
    Rule(
        kind="basic-auth",
        anchors=("uthorization: Basic ", "uthorization: basic "),
        pattern=re.compile(r"(?i:uthorization: basic) ([A-Za-z0-9+/]{8,400}={0,2})"),
    ),
    Rule(kind="connection-string", anchors=("://",), pattern=_ADDRESS, is_secret=is_own_password),
    Rule(
        kind="webhook",
        anchors=(".com/api/webhooks/",),
        pattern=re.compile(r"\.com/api/webhooks/(\d{15,22}/[A-Za-z0-9_-]{40,100})"),
    ),
)
"""Every kind of ours; where two find the same text, the earlier row names it."""
