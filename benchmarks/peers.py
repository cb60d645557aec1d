"""Other tools at the same work, each in an environment and a home of its own, without network.

They are installed once into the kept folder by the package installer that set this project up; a tool that cannot
be installed, or that fails, is told of in the table.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import stores
from measure import Call, environment, once

COLD, AGAIN, SEARCH, PAGES = "cold", "again", "search", "pages"
NEEDLE = "zephyrcache"
SEARCHES = 5


@dataclass(frozen=True, kw_only=True)
class Peer:
    """One tool."""

    package: str
    about: str
    """What its cold run makes."""
    cold: str
    """`{projects}` is where Claude Code's files lie, `{out}` a folder for what is made."""
    again: str = ""
    """Empty where it is the same command."""
    search: str = ""
    """Empty where it needs a server that goes on running."""
    program: str = ""
    python: str = "3.11"
    variables: tuple[tuple[str, str], ...] = ()
    makes_pages: bool = False


PEERS = (
    Peer(
        package="claude-code-log",
        about="pages",
        cold="{projects} --all-projects -o {out}",
        makes_pages=True,
    ),
    Peer(
        package="claude-code-transcripts",
        about="pages",
        cold="all -q -s {projects} -o {out}",
        makes_pages=True,
    ),
    Peer(
        package="agentsview",
        about="a database",
        cold="sync",
        variables=(("AGENTSVIEW_NO_DAEMON", "1"),),
    ),
    Peer(
        package="ai-session-search",
        about="an index",
        program="aise",
        cold="reindex",
        search=f"search {NEEDLE}",
        python="3.12",
    ),
    Peer(package="agsearch", about="an index, and the search", cold=f"-n {NEEDLE}", search=f"-n {NEEDLE}"),
    Peer(
        package="cc-conversation-search",
        about="an index",
        cold="init --days 100000 --quiet",
        again="index --all --quiet",
        search=f"search --days 100000 {NEEDLE}",
    ),
)


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One kind of run of one tool."""

    kind: str
    title: str
    call: Call


def version(peer: Peer) -> str:
    """Return the version that is installed, installing it if it is not there. Raises CalledProcessError."""
    _installed(peer)
    lines = _installer("pip", "list", "--python", _environment_of(peer) / "bin/python").splitlines()
    found = [line.split()[1] for line in lines if line.split()[:1] == [peer.package]]
    return found[0] if found else "?"


def runs(peer: Peer, folder: Path, times: int) -> Iterator[Measured]:
    """Yield what is to be measured, in order; each call is ready only when the one before has ended."""
    for _ in range(times):
        home = _home(folder / peer.package)
        yield Measured(kind=COLD, title=f"makes {peer.about}", call=_call(peer, peer.cold, home))
    for _ in range(times):
        yield Measured(
            kind=AGAIN, title="again, nothing new", call=_call(peer, peer.again or peer.cold, home)
        )
    for _ in range(SEARCHES if peer.search else 0):
        yield Measured(kind=SEARCH, title="one search", call=_call(peer, peer.search, home))


def _home(home: Path) -> Path:
    """Return a home that holds nothing but the corpus, where Claude Code keeps its files."""
    shutil.rmtree(home, ignore_errors=True)
    (home / ".claude").mkdir(parents=True)
    subprocess.run(["cp", "-a", str(stores.corpus()), str(home / ".claude/projects")], check=True)
    return home


def _call(peer: Peer, words: str, home: Path) -> Call:
    projects, out = home / ".claude/projects", home / "out"
    program = _environment_of(peer) / "bin" / (peer.program or peer.package)
    arguments = [word.format(projects=projects, out=out) for word in words.split()]
    return Call(
        command=[*_without_network(), program, *arguments],
        environment=environment(home, **dict(peer.variables)),
        folder=home,
    )


def _without_network() -> list[str]:
    """Return what a command is started with so that it reaches nobody; nothing where the system cannot do that."""
    given = ["unshare", "--map-root-user", "--net"]
    try:
        once(Call(command=[*given, "true"], environment={"PATH": "/usr/bin:/bin"}, folder=Path("/")))
    except Exception:  # noqa: BLE001
        return []
    return given


def _environment_of(peer: Peer) -> Path:
    return stores.base() / "peers" / peer.package


def _installed(peer: Peer) -> None:
    target = _environment_of(peer)
    if (target / "ready").exists():
        return
    shutil.rmtree(target, ignore_errors=True)
    _installer("venv", "--python", _interpreter(peer.python), str(target))
    wanted = ("install", "--compile-bytecode", "--prerelease", "allow")
    _installer("pip", *wanted, "--python", str(target / "bin/python"), peer.package)
    (target / "ready").touch()


def _interpreter(version: str) -> str:
    """Return an interpreter of a version: on the path, or one that pyenv keeps."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    return str(kept[-1]) if kept else version


def _installer(*arguments: str | Path) -> str:
    program = Path(sys.executable).with_name("uv")
    done = subprocess.run([program, *arguments], check=True, capture_output=True, text=True)
    return done.stdout
