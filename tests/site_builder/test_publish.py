"""Where a finished site goes: a branch, a folder, this machine's browser."""

import shutil
import subprocess
import urllib.error
import urllib.request
from threading import Event, Thread

import pytest

from awf_archive.errors import UsageError
from awf_archive.site_builder.build import build
from awf_archive.site_builder.publish import copy_to
from awf_archive.site_builder.publish_git import Branch, publish_branch
from awf_archive.site_builder.publish_rsync import rsync_to
from awf_archive.site_builder.serve import fingerprint, follow, start
from awf_archive.site_builder.writer import State


def git(folder, *words: str) -> str:
    done = subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


needs_rsync = pytest.mark.skipif(not shutil.which("rsync"), reason="rsync is not installed here")


@needs_rsync
def test_rsync_brings_the_site_and_takes_back_only_what_was_ours(small, tmp_path):
    build(small.layout)
    server = tmp_path / "www"
    server.mkdir()
    (server / "theirs.html").write_text("somebody else's")
    rsync_to(small.layout.site, str(server))
    page = server / "features/block-user/session-002/index.html"
    assert (
        page.read_bytes() == (small.layout.site / "features/block-user/session-002/index.html").read_bytes()
    )
    assert State.load(server).all_files() == State.load(small.layout.site).all_files()

    first = small.manifests["block-user"].sessions[:1]
    small.commit("block-user", first)
    build(small.layout)
    rsync_to(small.layout.site, f"{server}/")

    assert not page.exists()
    assert (server / "theirs.html").read_text() == "somebody else's"
    assert (server / "index.html").read_bytes() == (small.layout.site / "index.html").read_bytes()


@needs_rsync
def test_a_state_file_that_somebody_wrote_deletes_nothing_outside(small, tmp_path):
    build(small.layout)
    server, outside = tmp_path / "www", tmp_path / "precious.txt"
    server.mkdir()
    outside.write_text("keep me")
    State(files={"../precious.txt", str(outside)}).save(server)

    rsync_to(small.layout.site, str(server))

    assert outside.read_text() == "keep me"


@needs_rsync
def test_a_place_that_rsync_cannot_write_is_told(small, tmp_path):
    build(small.layout)

    with pytest.raises(UsageError, match="rsync: "):
        rsync_to(small.layout.site, str(tmp_path / "no/such/place"))


@pytest.fixture
def repository(small, monkeypatch):
    """A workspace in git with a site, a staged file and an untracked one."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Linh")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "linh@example.com")
    root = small.layout.root
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "commit", "--quiet", "--allow-empty", "-m", "begin")
    (root / "staged.txt").write_text("mine\r\n")
    git(root, "add", "staged.txt")
    (root / "new.txt").write_text("not yet added")
    build(small.layout)
    return small


def test_a_branch_gets_the_site_and_nothing_else_of_the_repository_changes(repository):
    root, site = repository.layout.root, repository.layout.site
    before = (git(root, "status", "--porcelain"), git(root, "rev-parse", "HEAD"))

    changed = publish_branch(site, Branch(repository=root, name="gh-pages"))

    names = git(root, "ls-tree", "-r", "--name-only", "gh-pages").splitlines()
    assert changed
    assert {"index.html", ".nojekyll", "features/block-user/session-001/index.html"} <= set(names)
    assert ".awf-site.json" not in names
    assert (git(root, "status", "--porcelain"), git(root, "rev-parse", "HEAD")) == before
    blob = subprocess.run(
        ["git", "-C", root, "show", "gh-pages:index.html"], check=True, capture_output=True
    ).stdout
    assert blob == (site / "index.html").read_bytes()


def test_publishing_the_same_site_again_makes_no_commit(repository):
    branch = Branch(repository=repository.layout.root, name="gh-pages")
    publish_branch(repository.layout.site, branch)

    changed = publish_branch(repository.layout.site, branch)

    assert not changed
    assert git(repository.layout.root, "rev-list", "--count", "gh-pages") == "1"


def test_a_second_site_is_a_child_of_the_first_and_can_be_pushed(repository, turn, tmp_path):
    branch = Branch(repository=repository.layout.root, name="gh-pages")
    publish_branch(repository.layout.site, branch)
    git(tmp_path, "init", "--quiet", "--bare", "there.git")
    git(repository.layout.root, "remote", "add", "origin", str(tmp_path / "there.git"))

    repository.save("block-user", [turn("one more")], title="Third")
    build(repository.layout)
    publish_branch(
        repository.layout.site, Branch(repository=repository.layout.root, name="gh-pages", remote="origin")
    )

    assert git(tmp_path / "there.git", "rev-list", "--count", "gh-pages") == "2"


@pytest.mark.parametrize("name", ["main", "-x", "a b", "..", ""])
def test_a_branch_that_is_in_use_or_no_name_is_refused(repository, name):
    with pytest.raises(UsageError):
        publish_branch(repository.layout.site, Branch(repository=repository.layout.root, name=name))


def test_a_folder_is_brought_up_to_date_and_keeps_what_is_not_ours(small, tmp_path):
    build(small.layout)
    copy_to(small.layout.site, tmp_path / "out")
    (tmp_path / "out/CNAME").write_text("docs.example.com")
    small.commit("block-user", small.manifests["block-user"].sessions[:1])
    build(small.layout)

    changed = copy_to(small.layout.site, tmp_path / "out")

    assert changed
    assert (tmp_path / "out/CNAME").exists()
    assert not (tmp_path / "out/features/block-user/session-002").exists()
    assert copy_to(small.layout.site, tmp_path / "out") == 0


def test_a_folder_with_other_peoples_files_is_refused(small, tmp_path):
    build(small.layout)
    (tmp_path / "out").mkdir()
    (tmp_path / "out/thesis.txt").write_text("mine")

    with pytest.raises(UsageError):
        copy_to(small.layout.site, tmp_path / "out")


@pytest.fixture
def served(small):
    build(small.layout)
    server, url = start(small.layout.site, 0)
    yield url
    server.shutdown()
    server.server_close()


def test_this_machine_is_served_and_no_other_name_for_it(served):
    with urllib.request.urlopen(f"{served}index.html") as answer:  # noqa: S310 - our own address
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert b"<h1" in answer.read()

    strange = urllib.request.Request(f"{served}index.html", headers={"Host": "evil.example:80"})  # noqa: S310
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(strange)  # noqa: S310
    refused.value.close()
    assert refused.value.code == 421


def test_no_folder_is_listed_and_nothing_above_the_site_is_served(served):
    for path in ("assets/", "../manifest.json", "%2e%2e/%2e%2e/x"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{served}{path}")  # noqa: S310
        refused.value.close()
        assert refused.value.code == 404


def test_an_address_that_is_not_there_shows_the_sites_own_page(served, small):
    own = (small.layout.site / "404.html").read_bytes()
    for method, body in (("GET", own), ("HEAD", b"")):
        asked = urllib.request.Request(f"{served}features/nothing/index.html", method=method)  # noqa: S310
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(asked)  # noqa: S310

        with refused.value as answer:
            assert [answer.code, answer.read()] == [404, body]
            assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
            assert answer.headers["X-Frame-Options"] == "DENY"


def test_a_taken_port_is_one_clear_error(served, small):
    with pytest.raises(UsageError, match="port"):
        start(small.layout.site, int(served.rstrip("/").rpartition(":")[2]))


def test_a_new_session_is_noticed_once(small, turn, monkeypatch):
    monkeypatch.setattr("awf_archive.site_builder.serve._SECONDS_BETWEEN_LOOKS", 0.02)
    stop, built = Event(), Event()
    before = fingerprint([small.layout])
    watcher = Thread(target=follow, args=([small.layout], built.set, stop))
    watcher.start()

    assert not built.wait(0.1)
    small.save("block-user", [turn("one more")], title="Third")

    assert built.wait(5)
    stop.set()
    watcher.join()
    assert fingerprint([small.layout]) != before
