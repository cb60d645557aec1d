"""Make `.venv` from the hashed lock, and what tests drive: Chromium, PostgreSQL, OpenSearch. Does nothing twice.

Runs under any Python 3.11, before anything is installed.
"""

import hashlib
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "set-up.sha256"
LOCK = ROOT / "requirements" / "dev.txt"
NODE = ROOT / "tools" / "opensearch"
JARS = ROOT / ".opensearch"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def main(arguments: list[str]) -> int:
    """Set up the environment, or with `--services` what tests drive."""
    if arguments == ["--services"]:
        return set_up_services()
    wanted = fingerprint()
    if PYTHON.exists() and STAMP.exists() and STAMP.read_text(encoding="utf-8") == wanted:
        return 0
    make_environment()
    install()
    STAMP.write_text(wanted, encoding="utf-8")
    return 0


def fingerprint() -> str:
    """Return a digest of all that the environment is made from."""
    digest = hashlib.sha256(str(ROOT).encode())
    for path in (LOCK, ROOT / "pyproject.toml", Path(__file__)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def make_environment() -> None:
    """Make `.venv` unless it stands and works."""
    if PYTHON.exists() and works():
        return
    say("Making .venv ...")
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)
    except subprocess.CalledProcessError:
        version = sysconfig.get_python_version()
        sys.exit(f"Python could not make .venv. On Debian and Ubuntu: apt-get install python{version}-venv")


def works() -> bool:
    """Tell whether `.venv` still has a Python with pip: a moved or upgraded interpreter leaves it broken."""
    probe = subprocess.run([PYTHON, "-m", "pip", "--version"], check=False, capture_output=True)
    return probe.returncode == 0


def install() -> None:
    """Install the lock, then the project itself, editable."""
    say("Installing from requirements/dev.txt ...")
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--require-hashes", "-r", LOCK], check=True, cwd=ROOT)
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "-e", "."], check=True, cwd=ROOT)


def set_up_services() -> int:
    """Install what tests drive from Debian's packages when it is missing and we may; under CI it must be there."""
    apt = shutil.which("apt-get")
    missing = [service for service in SERVICES if not service.find()]
    if missing and apt and os.geteuid() == 0:
        packages = [service.package for service in missing]
        say(f"Installing {', '.join(packages)} for the tests ...")
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        command = [apt, "install", "-y", "-qq", "--no-install-recommends", *packages]
        subprocess.run([apt, "update", "-qq"], check=False, env=quiet)
        subprocess.run(command, check=False, env=quiet, stdout=subprocess.DEVNULL)
    missing = [service for service in SERVICES if not service.find()]
    for service in missing:
        say(service.without)
    set_up_opensearch()
    return 1 if missing and os.environ.get("CI") == "true" else 0


def find_browser() -> str | None:
    """Return the path of an installed Chromium or Chrome."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def find_postgres() -> str | None:
    """Return the path of PostgreSQL's server, wherever Debian puts it."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return str(found[-1]) if found else shutil.which("initdb")


def set_up_opensearch() -> None:
    """Fetch an OpenSearch node's jars with Maven and compile what starts them; without Java its tests are skipped."""
    wanted = hashlib.sha256(
        b"".join((NODE / name).read_bytes() for name in ("pom.xml", "TestNode.java"))
    ).hexdigest()
    stamp = JARS / "set-up.sha256"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    missing = [name for name in ("mvn", "java", "javac", "jar") if not shutil.which(name)]
    if missing:
        say(
            f"No {', '.join(missing)} here: the tests on OpenSearch will be skipped. They need a JDK 17 and Maven."
        )
        return
    say("Fetching OpenSearch's jars for the tests ...")
    shutil.rmtree(JARS, ignore_errors=True)
    try:
        make_node()
    except (subprocess.SubprocessError, OSError) as problem:
        say(f"OpenSearch's jars cannot be had ({problem}): its tests will be skipped.")
        return
    stamp.write_text(wanted, encoding="utf-8")


def make_node() -> None:
    """Put a node's jars into place, and with them the classes of a start, which halve every further one."""
    lib, classes, node = JARS / "lib", JARS / "classes", JARS / "lib" / "test-node.jar"
    maven = [
        "mvn",
        "-q",
        "-B",
        "-f",
        NODE / "pom.xml",
        "dependency:copy-dependencies",
        f"-DoutputDirectory={lib}",
    ]
    subprocess.run(maven, check=True, timeout=600)
    java = ["javac", "-proc:none", "-cp", f"{lib}/*", "-d", classes, NODE / "TestNode.java"]
    subprocess.run(java, check=True, timeout=120)
    subprocess.run(["jar", "cf", node, "-C", classes, "."], check=True, timeout=60)
    with socket.socket() as http, socket.socket() as transport:
        for each in (http, transport):
            each.bind(("127.0.0.1", 0))
        ports = [str(each.getsockname()[1]) for each in (http, transport)]
    jars = os.pathsep.join(map(str, sorted(lib.glob("*.jar"))))
    heap = ["-Xms512m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    first = ["java", *heap, f"-XX:ArchiveClassesAtExit={JARS / 'start.jsa'}", "-Xlog:cds=off", "-cp", jars]
    run = [*first, "TestNode", "0", *ports, ports[1], JARS / "start"]
    subprocess.run(run, check=True, timeout=120, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


class Service(NamedTuple):
    """Something that tests drive and that no Python package brings along."""

    package: str
    find: Callable[[], str | None]
    without: str


SERVICES = (
    Service(
        "chromium",
        find_browser,
        "No Chromium here: the browser tests will be skipped. Install one (Debian: apt-get install chromium).",
    ),
    Service(
        "postgresql",
        find_postgres,
        "No PostgreSQL here: its tests will be skipped. Install it (Debian: apt-get install postgresql).",
    ),
)


def say(line: str) -> None:
    """Print at once, so that it stands above the output of what follows."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
