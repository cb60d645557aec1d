"""A real cluster of three OpenSearch nodes on loopback, of which tests may kill one. Nodes end with whoever started them."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

JARS = Path(__file__).resolve().parents[2] / ".opensearch"
NODES = 3
HEAP = ("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC")
QUICK = ("-XX:TieredStopAtLevel=1", f"-XX:SharedArchiveFile={JARS}/start.jsa", "-Xlog:cds=off")
"""Starts in half the time; over minutes of work the better compiler pays."""


def why_not() -> str:
    """Say why there can be no cluster here, or nothing."""
    if not shutil.which("java"):
        return "no Java here; a JDK 17 and Maven are needed"
    if not (JARS / "set-up.sha256").exists():
        return "its jars are not here: tools/set_up.py --services fetches them with Maven"
    return ""


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


@dataclass
class Cluster:
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="awf-opensearch-")))
    java: tuple[str, ...] = (*HEAP, *QUICK)
    processes: dict[int, subprocess.Popen] = field(default_factory=dict)

    def __post_init__(self):
        ports = free_ports(2 * NODES)
        self.http, self.transport = ports[:NODES], ports[NODES:]

    @property
    def hosts(self):
        return tuple(f"http://127.0.0.1:{port}" for port in self.http)

    def log(self, number):
        """Return where a node writes: in its own folder, which it takes along when it ends."""
        home = self.folder / f"n{number}"
        home.mkdir(exist_ok=True)
        return home / "log"

    def start(self, *numbers):
        """Start nodes, or all; return when the cluster has them."""
        for number in numbers or range(NODES):
            arguments = (
                number,
                self.http[number],
                self.transport[number],
                ",".join(map(str, self.transport)),
            )
            jars = os.pathsep.join(map(str, sorted((JARS / "lib").glob("*.jar"))))
            command = ["java", *self.java, "-cp", jars, "TestNode", *arguments]
            log = self.log(number).open("ab")
            with log:
                self.processes[number] = subprocess.Popen(
                    [*map(str, command), str(self.folder / f"n{number}")],
                    stdin=subprocess.PIPE,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
        self.wait(lambda health: health["number_of_nodes"] == len(self.processes))
        return self

    def kill(self, *numbers):
        """End nodes, or all, the hard way."""
        for number in numbers or list(self.processes):
            process = self.processes.pop(number)
            process.send_signal(signal.SIGKILL)
            process.wait()
            process.stdin.close()

    def stop(self):
        """End everything; each node takes its folder along."""
        for process in self.processes.values():
            process.stdin.close()
        for process in self.processes.values():
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
        self.processes.clear()
        shutil.rmtree(self.folder, ignore_errors=True)

    def health(self):
        """Return what a living node says of the cluster."""
        for number in self.processes:
            with contextlib.suppress(OSError, ValueError):
                url = f"http://127.0.0.1:{self.http[number]}/_cluster/health"
                with urllib.request.urlopen(url, timeout=5) as answer:
                    return json.load(answer)
        return {"number_of_nodes": 0, "status": "away"}

    def wait(self, is_so, limit=120.0):
        """Wait until the cluster is so; return how many seconds that took."""
        started = time.monotonic()
        while not is_so(self.health()):
            for number, process in self.processes.items():
                if process.poll() is not None:
                    log = self.log(number).read_text(errors="replace")[-2000:]
                    raise RuntimeError(f"node {number} ended: {log}")
            if time.monotonic() - started > limit:
                raise TimeoutError(f"after {limit:.0f} s: {self.health()}")
            time.sleep(0.1)
        return time.monotonic() - started

    def wait_green(self, limit=120.0):
        return self.wait(lambda health: health["status"] == "green", limit)
