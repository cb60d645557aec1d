"""How a place in the archive is cited, and its address as a resource."""

import re
from urllib.parse import quote, unquote

from awf_archive.errors import UsageError

SCHEME = "awf"
SESSION_TEMPLATE = f"{SCHEME}://{{feature}}/session-{{number}}"
TURN_TEMPLATE = f"{SCHEME}://{{feature}}/turn-{{number}}"

_URI = re.compile(
    rf"{SCHEME}://(?P<feature>[^/?#]{{1,600}})/(?:(?P<session>session-[0-9]{{1,9}})|turn-(?P<turn>[0-9]{{1,9}}))"
)


def cite(feature: str, turn: int) -> str:
    """Return how a turn is cited; a feature alone where there is no turn.

    >>> cite("login", 16), cite("login", 0)
    ('login#16', 'login')
    """
    return f"{feature}#{turn}" if turn else feature


def session_uri(feature: str, session: str) -> str:
    """Return the address of a session.

    >>> session_uri("đăng nhập", "session-001")
    'awf://%C4%91%C4%83ng%20nh%E1%BA%ADp/session-001'
    """
    return f"{SCHEME}://{quote(feature, safe='')}/{session}"


def place_of(uri: str) -> str:
    """Return the place that an address names. Raises UsageError for any other address.

    >>> place_of("awf://a%20b/turn-7"), place_of("awf://login/session-001")
    ('a b#7', 'login/session-001')
    """
    match = _URI.fullmatch(uri)
    if not match:
        raise UsageError(
            f"{uri[:120]!a}: no resource of this server.",
            f"Addresses are {SESSION_TEMPLATE} and {TURN_TEMPLATE}; list_sessions gives them.",
        )
    feature = unquote(match["feature"])
    return f"{feature}#{match['turn']}" if match["turn"] else f"{feature}/{match['session']}"
