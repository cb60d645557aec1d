"""A real PostgreSQL server of our own, on a free port, that tests may stop and start; and every backend."""

import contextlib
import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from awf_archive.brain.backends import BACKENDS, Setting, open_backend
from awf_archive.brain.folder import Brain, Disk
from awf_archive.store import atomic


@dataclass
class Server:
    """A cluster in a folder of its own."""

    binaries: Path
    folder: Path
    port: int

    @property
    def dsn(self):
        return f"host=127.0.0.1 port={self.port} user=postgres dbname=postgres"

    def run(self, program, *arguments):
        """Run one of PostgreSQL's programs; it refuses to work for root."""
        command = [str(self.binaries / program), *map(str, arguments)]
        if os.geteuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")

    def create(self):
        self.run(
            "initdb", "-D", self.folder / "data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"
        )
        return self

    def start(self):
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        self.run(
            "pg_ctl", "-D", self.folder / "data", "-l", self.folder / "log", "-w", "-o", options, "start"
        )

    def stop(self):
        self.run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "-w", "stop")


def _missing(what):
    reason = f"PostgreSQL cannot be tested here: {what}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def postgres():
    """A running server."""
    if importlib.util.find_spec("psycopg") is None:
        _missing('pip install "psycopg[binary]"')
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found or not shutil.which("runuser"):
        _missing("apt-get install postgresql")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="awf-pg-", dir="/tmp"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    server = Server(found[-1].parent, folder, port).create()
    server.start()
    yield server
    with contextlib.suppress(subprocess.CalledProcessError):
        server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def setting(tmp_path):
    return Setting(brain=Brain(tmp_path), disk=Disk(write=atomic.write, move=atomic.move))


@pytest.fixture(params=list(BACKENDS))
def backend(request, setting):
    """Each backend in turn, empty."""
    if request.param == "postgres":
        import psycopg

        server = request.getfixturevalue("postgres")
        setting = setting._replace(dsn=server.dsn)
        with psycopg.connect(server.dsn, autocommit=True) as db:
            db.execute("DROP TABLE IF EXISTS awf_snapshots, awf_snapshots_version")
    opened = open_backend(request.param, setting)
    yield opened
    opened.close()
