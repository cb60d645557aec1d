"""What a team's search is told in settings, and who one is to it (SPEC 8, docs/team.md)."""

from typing import NamedTuple

SCOPES = ("here", "team")
"""Where a search may look: in this workspace, or in all archives of a team."""


class Team(NamedTuple):
    """Search for a whole team, on OpenSearch (docs/team.md). Passwords are never settings."""

    url: tuple[str, ...] = ()
    """The cluster's nodes; empty for no team."""
    index_name: str = "awf-archive"
    """Where this archive goes, and what is searched."""
    archive: str = ""
    """The archive's name for others; empty takes git's remote, else the folder's name."""
    author: str = ""
    """Who speaks here; empty asks git."""
    site: str = ""
    """Where a turn is readable: an address with {archive}, {page}, {feature}, {session}, {turn}, {local}."""
    send: tuple[str, ...] = ()
    """What goes along with what was said: `tools`, `thinking`, `summary`."""
    auth: str = ""
    """`api-key`, `basic` or `aws`; empty takes what credentials there are."""
    region: str = ""
    """For `aws`."""
    ca: str = ""
    """A file of certificates to trust besides the system's."""
    seconds: int = 5
    """How long an answer may take."""
    shards: int = 1
    """Of each month's index."""
    keep_days: int = 0
    """Turns older than this are not sent; 0 for all."""


class TeamSecrets(NamedTuple):
    """Credentials as the environment gives them; empty where it does not."""

    api_key: str = ""
    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        """Show nothing."""
        return "TeamSecrets()"
