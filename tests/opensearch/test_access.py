"""How a cluster is reached: certificates are verified, credentials come from the environment or the keyring."""

import shutil
import socket
import ssl
import subprocess
import threading
from contextlib import closing, suppress

import keyring
import pytest
from keyring.backend import KeyringBackend

from awf_archive.domain.team import Team
from awf_archive.errors import ClusterError, UsageError
from awf_archive.search.opensearch.client import Access, connect, only_our_errors
from awf_archive.services.team_place import KEYRING, access, archive_name
from awf_archive.store.layout import Layout

URL = ("https://search.example:9200",)


class Front(threading.Thread):
    """TLS before a node, with a certificate that nobody knows; counts what gets through."""

    def __init__(self, certificate, key, port):
        super().__init__(daemon=True)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.node = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.requests = 0

    @property
    def url(self):
        return f"https://127.0.0.1:{self.listener.getsockname()[1]}"

    def run(self):
        while True:
            try:
                raw, _ = self.listener.accept()
            except OSError:
                return
            with suppress(OSError), closing(self.context.wrap_socket(raw, server_side=True)) as outside:
                self.serve(outside)

    def serve(self, outside):
        """Hand one request over and its answer back."""
        asked = outside.recv(65_536)
        self.requests += 1
        with closing(socket.create_connection(("127.0.0.1", self.node))) as node:
            node.sendall(asked.replace(b"connection: keep-alive", b"connection: close"))
            node.settimeout(5)
            with suppress(TimeoutError):
                outside.sendall(node.recv(65_536))


@pytest.fixture
def front(cluster, tmp_path):
    if not shutil.which("openssl"):
        pytest.skip("openssl is needed to make a certificate")
    certificate, key = tmp_path / "ca.pem", tmp_path / "key.pem"
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    made = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    command = [*made, "-addext", names, "-keyout", key, "-out", certificate]
    subprocess.run(command, check=True, capture_output=True)
    started = Front(certificate, key, cluster.http[0])
    started.start()
    yield started
    started.listener.close()


def test_a_certificate_that_does_not_verify_gets_nothing(front, tmp_path):
    stranger = connect(Access((front.url,)))
    known = connect(Access((front.url,), ca=str(tmp_path / "ca.pem"), timeout=30.0))

    with pytest.raises(ClusterError, match="certificate does not verify"), only_our_errors("team"):
        stranger.info()
    assert front.requests == 0
    assert known.info()["version"]["distribution"] == "opensearch"


class Ring(KeyringBackend):
    """A keyring in memory."""

    priority = 1

    def __init__(self, **held):
        super().__init__()
        self.held = held

    def get_password(self, service, username):
        return self.held.get(username.replace("-", "_")) if service == KEYRING else None

    def set_password(self, service, username, password):
        raise NotImplementedError

    def delete_password(self, service, username):
        raise NotImplementedError


@pytest.fixture
def ring(monkeypatch):
    for name in ("API_KEY", "USER", "PASSWORD"):
        monkeypatch.delenv(f"AWF_ARCHIVE_TEAM_{name}", raising=False)
    before = keyring.get_keyring()
    yield lambda **held: keyring.set_keyring(Ring(**held))
    keyring.set_keyring(before)


def test_credentials_come_from_the_keyring_where_the_environment_has_none(ring, monkeypatch):
    ring(user="linh", password="hidden", api_key="key")  # noqa: S106 - of nobody

    assert access(Team(url=URL, auth="api-key")).api_key == "key"
    basic = access(Team(url=URL, auth="basic"))
    assert (basic.user, basic.password) == ("linh", "hidden")
    monkeypatch.setenv("AWF_ARCHIVE_TEAM_API_KEY", "from-environment")
    assert access(Team(url=URL, auth="api-key")).api_key == "from-environment"
    assert "hidden" not in repr(basic)


def test_missing_credentials_say_where_they_belong(ring):
    ring()

    with pytest.raises(UsageError, match="no such credentials"):
        access(Team(url=URL, auth="basic"))
    with pytest.raises(UsageError, match="needs a region"):
        access(Team(url=URL, auth="aws"))


def test_an_archive_is_called_the_same_in_every_clone(tmp_path):
    names = []
    for place, remote in (
        ("one", "git@example.com:acme/shop.git"),
        ("two", "https://linh:pw@example.com/acme/shop"),
    ):
        root = tmp_path / place
        subprocess.run(["git", "init", "-q", root], check=True)
        subprocess.run(["git", "-C", root, "remote", "add", "origin", remote], check=True)
        names.append(archive_name(Layout(root=root), Team()))

    assert names == ["example.com/acme/shop", "example.com/acme/shop"]
    assert archive_name(Layout(root=tmp_path / "one"), Team(archive="shop")) == "shop"
