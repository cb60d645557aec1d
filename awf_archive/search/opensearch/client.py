"""The one door to opensearch-py: a connection that verifies, answers in time, and logs nothing (issue 11)."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from awf_archive.errors import ClusterError, UsageError

try:
    import opensearchpy
    from opensearchpy import exceptions as theirs
except ImportError as problem:
    raise UsageError(
        "Search for a team needs opensearch-py.", 'Install it with: pip install "awf-archive[opensearch]"'
    ) from problem

for _name in ("opensearch", "opensearchpy.trace"):
    # its warnings hold addresses, and its trace holds texts: neither may reach a log
    logging.getLogger(_name).disabled = True

Client: TypeAlias = Any
"""The client's methods are bags of keywords: there are no types to hold on to."""

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Access(NamedTuple):
    """Where the cluster is and who asks."""

    hosts: tuple[str, ...]
    ca: str = ""
    """File of certificates to trust; empty for the system's."""
    api_key: str = ""
    user: str = ""
    password: str = ""
    aws_region: str = ""
    """Requests are signed for this region with the credentials that boto3 finds."""
    aws_service: str = "es"
    timeout: float = 5.0
    """Seconds that one answer may take."""

    def __repr__(self) -> str:
        """Name the hosts and nothing secret."""
        return f"Access(hosts={self.hosts!r})"


def connect(access: Access) -> Client:
    """Return a client. Raises UsageError for an address that would show what is sent."""
    for host in access.hosts:
        check_host(host)
    is_aws = bool(access.aws_region)
    return opensearchpy.OpenSearch(
        hosts=list(access.hosts),
        verify_certs=True,
        ssl_show_warn=False,
        ca_certs=access.ca or None,
        http_auth=_signer(access) if is_aws else (access.user, access.password) if access.user else None,
        headers={"Authorization": f"ApiKey {access.api_key}"} if access.api_key else None,
        connection_class=opensearchpy.RequestsHttpConnection
        if is_aws
        else opensearchpy.Urllib3HttpConnection,
        timeout=access.timeout,
        max_retries=2,
        retry_on_timeout=False,
        pool_maxsize=4,
    )


def check_host(host: str) -> None:
    """Raise UsageError for an address without encryption that leaves this machine, or with a password in it."""
    parts = urlsplit(host)
    if parts.scheme not in {"https", "http"} or not parts.hostname:
        raise UsageError(
            f"team_url {host!r}: not an address.", "It looks like https://search.example.com:9200."
        )
    if parts.username or parts.password:
        raise UsageError(
            f"team_url: {parts.hostname} comes with a user or password in it.",
            "Credentials go into the environment or the keyring: docs/team.md.",
        )
    if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
        raise UsageError(
            f"team_url: http://{parts.hostname} is not encrypted.",
            "Use https; only this machine may do without.",
        )


def _signer(access: Access) -> object:
    try:
        import boto3  # type: ignore[import-not-found,unused-ignore]
    except ImportError as problem:
        raise UsageError("team_auth aws needs boto3.", "Install it with: pip install boto3") from problem
    credentials = boto3.Session().get_credentials()
    if credentials is None:
        raise UsageError(
            "team_auth aws: no credentials were found.",
            "Set them up as for the aws command line: aws configure.",
        )
    return opensearchpy.RequestsAWSV4SignerAuth(credentials, access.aws_region, access.aws_service)


class MissingIndexError(ClusterError):
    """There is no such index: nobody of the team has sent anything yet."""


@contextmanager
def unless_there() -> Iterator[None]:
    """Let it pass that an index cannot be made because another machine was first."""
    try:
        yield
    except theirs.RequestError as problem:
        if problem.error != "resource_already_exists_exception":
            raise


_REFUSED = {"401": "does not know who asks (401)", "403": "does not allow it (403)"}


@contextmanager
def only_our_errors(where: str) -> Iterator[None]:
    """Turn whatever the client raises into a ClusterError that names the index and says what to do."""
    where = f"The team's index {where}"
    try:
        yield
    except theirs.NotFoundError as problem:
        raise MissingIndexError(
            f"{where}: there is no such index.", "awf-archive team push makes it."
        ) from problem
    except theirs.SSLError as problem:
        raise ClusterError(
            f"{where}: its certificate does not verify.", "Name your company's certificates with team_ca."
        ) from problem
    except theirs.ConnectionError as problem:  # its timeouts are of this kind too
        raise ClusterError(
            f"{where}: no answer ({type(problem).__name__}).",
            "What is to be sent waits; the local search goes on.",
        ) from problem
    except theirs.TransportError as problem:
        raise _refusal(where, problem) from problem
    except theirs.OpenSearchException as problem:
        raise ClusterError(
            f"{where}: {type(problem).__name__}.", "Ask whoever runs the cluster."
        ) from problem


def _refusal(where: str, problem: theirs.TransportError) -> ClusterError:
    if told := _REFUSED.get(str(problem.status_code)):
        return ClusterError(f"{where}: {told}.", "docs/team.md tells where credentials and roles are set.")
    return ClusterError(
        f"{where}: says {problem.status_code} {problem.error}.", "It is tried again; or ask whoever runs it."
    )
