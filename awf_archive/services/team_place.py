"""Where an archive stands in a team: its name, who speaks in it, and with what credentials it is sent (issue 11)."""

import getpass
import re
import socket
from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from awf_archive.config import team_secrets
from awf_archive.domain.team import Team, TeamSecrets
from awf_archive.errors import InputError, UsageError
from awf_archive.store.git_objects import Repository, find_repository
from awf_archive.store.layout import Layout

if TYPE_CHECKING:
    from awf_archive.search.opensearch.client import Access

KEYRING = "awf-archive team"
"""The service under which a keyring holds `api-key`, `user` and `password`."""


def archive_name(layout: Layout, team: Team) -> str:
    """Return the name under which others find this archive; the same in every clone of a repository.

    It is the setting's, else git's remote, else the folder's with something of this machine.
    """
    if team.archive:
        return team.archive
    repository = _repository(layout)
    if repository and (remote := _plain_remote(repository.says("config", "--get", "remote.origin.url"))):
        below = layout.root.relative_to(repository.root.resolve()).as_posix()
        return remote if below == "." else f"{remote}/{below}"
    place = blake2b(f"{socket.gethostname()}\0{layout.root}".encode(errors="replace"), digest_size=4)
    return f"{layout.root.name}-{place.hexdigest()}"


_SSH = re.compile(r"(?:[^@/\s]+@)?(?P<host>[^:/\s]+):(?P<path>[^/].*)")


def _plain_remote(remote: str) -> str:
    """Return a remote's host and path, without user, password or protocol.

    >>> _plain_remote("git@example.com:acme/shop.git"), _plain_remote("https://me:pw@example.com/acme/shop")
    ('example.com/acme/shop', 'example.com/acme/shop')
    """
    if "://" in remote:
        parts = urlsplit(remote)
        found = f"{parts.hostname or ''}{parts.path}"
    elif match := _SSH.fullmatch(remote):
        found = f"{match['host']}/{match['path']}"
    else:
        return ""  # a folder's path means something on one machine only
    return found.removesuffix("/").removesuffix(".git").lstrip("/")


class Authors:
    """Who saved each session: whom git names as the first to commit it, else who works here."""

    def __init__(self, layout: Layout, team: Team) -> None:
        self._layout = layout
        self._repository = _repository(layout)
        self._me = team.author or (self._repository.says("config", "user.name") if self._repository else "")
        self._found: dict[str, str] | None = None

    def of(self, feature: str, session: str) -> str:
        """Return who saved a session."""
        if self._found is None:
            self._found = self._in_git()
        return self._found.get(f"{feature}/{session}") or self._me or getpass.getuser()

    def _in_git(self) -> dict[str, str]:
        """Ask git once, for all sessions: 5 000 questions would take half a minute."""
        if self._repository is None:
            return {}
        names = f":(glob){self._layout.archive_dir}/*/.context/conversations/sessions/*/metadata.json"
        options = (
            "--no-renames",
            "--diff-filter=A",
            "--name-only",
            "-z",
            "--format=%x01%aN",
            "--end-of-options",
        )
        try:
            said = Repository(root=self._layout.root).run("log", *options, "HEAD", "--", names)
        except InputError:
            return {}  # no commit yet, or the archive lies outside the repository
        found: dict[str, str] = {}
        for commit in said.decode(errors="replace").split("\x01")[1:]:
            author, *paths = (part.strip("\n") for part in commit.split("\0"))
            for path in filter(None, paths):
                parts = path.split("/")
                found[f"{parts[-6]}/{parts[-2]}"] = author  # newest first: the oldest one stays
        return found


def _repository(layout: Layout) -> Repository | None:
    try:
        return find_repository(layout.root)
    except UsageError:
        return None


def access(team: Team) -> "Access":
    """Return how the cluster is reached. Raises UsageError when none is set up or a credential is missing."""
    if not team.url:
        raise UsageError(
            "No team's search is set up.", "docs/team.md tells how: [team] in your awf-archive.toml."
        )
    from awf_archive.search.opensearch.client import Access

    plain = Access(hosts=team.url, ca=team.ca, timeout=float(team.seconds))
    if team.auth == "aws":
        if not team.region:
            raise UsageError("team: auth aws needs a region.", 'For example: region = "ap-southeast-1"')
        return plain._replace(aws_region=team.region)
    secrets = _secrets(team)
    if team.auth != "basic" and secrets.api_key:
        return plain._replace(api_key=secrets.api_key)
    if team.auth != "api-key" and secrets.user:
        return plain._replace(user=secrets.user, password=secrets.password)
    if team.auth:
        raise UsageError(
            f"team: auth {team.auth}, but there are no such credentials.",
            "Set AWF_ARCHIVE_TEAM_API_KEY, or AWF_ARCHIVE_TEAM_USER and _PASSWORD, or use the keyring: docs/team.md.",
        )
    return plain


def _secrets(team: Team) -> TeamSecrets:
    """Return the environment's credentials, else the keyring's."""
    given = team_secrets()
    if given.api_key or given.user or not team.auth:
        return given
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return given
    try:
        found = (keyring.get_password(KEYRING, name) or "" for name in ("api-key", "user", "password"))
        return TeamSecrets(*found)
    except KeyringError as problem:
        raise UsageError(
            f"team: the keyring does not open ({type(problem).__name__}).",
            "Unlock it, or use the environment.",
        ) from problem
