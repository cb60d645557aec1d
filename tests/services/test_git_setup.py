"""`install git`: what it sets up, what it leaves alone, and that it can be taken back."""

import os
import subprocess

import pytest

from awf_archive.errors import UsageError
from awf_archive.services.git_setup import plan_install, plan_uninstall, scan_staged

SECRET = "hunter2" * 2


@pytest.fixture
def git(workspace):
    """Run git in the workspace, which is a repository."""

    def run(*arguments, ok=True):
        names = {f"GIT_{who}_{what}": "an" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        nobody = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        done = subprocess.run(
            ["git", *arguments],
            cwd=workspace.root,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | names | nobody,
        )
        assert not ok or done.returncode == 0, done.stdout + done.stderr
        return done

    run("init", "-q", "-b", "main")
    (workspace.root / ".awf-archive/.gitignore").write_text("*\n")
    return run


def carry_out(changes):
    for change in changes:
        change.carry_out()
    return [change.what for change in changes]


def dot_git(workspace, snapshot):
    """Return what may be set up: git's settings, attributes and hooks."""
    return {
        name: data
        for name, (data, _) in snapshot(workspace.root / ".git").items()
        if name == "config" or name.startswith(("hooks/", "info/"))
    }


@pytest.mark.usefixtures("git")
def test_everything_is_set_up_once(workspace):
    changed = carry_out(plan_install(workspace.layout))

    assert [name.rsplit("/", 1)[-1] for name in changed] == [
        "merge.awf-archive.name",
        "merge.awf-archive.driver",
        "attributes",
        "pre-commit",
        "post-commit",
    ]
    for name in ("pre-commit", "post-commit"):
        assert os.access(workspace.root / ".git/hooks" / name, os.X_OK)
    assert plan_install(workspace.layout) == []


@pytest.mark.usefixtures("git")
def test_uninstall_takes_back_exactly_what_was_added(workspace, snapshot):
    before = dot_git(workspace, snapshot)
    carry_out(plan_install(workspace.layout))

    carry_out(plan_uninstall(workspace.layout))

    after = dot_git(workspace, snapshot)
    assert after.pop("config").strip() == before.pop("config").strip()
    assert after == before
    assert plan_uninstall(workspace.layout) == []


@pytest.mark.parametrize(
    "theirs",
    ["#!/bin/sh\necho theirs\nexit 0\n", "#!/usr/bin/env bash\nset -e\necho theirs", "echo theirs\n"],
)
def test_a_hook_that_is_there_goes_on_running(workspace, git, theirs):
    hook = workspace.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(theirs)
    hook.chmod(0o755)

    carry_out(plan_install(workspace.layout))
    (workspace.root / "a.txt").write_text("a")
    git("add", "-A")
    done = git("commit", "-m", "x")

    assert "theirs" in done.stdout + done.stderr
    assert "No secrets" in done.stdout + done.stderr
    carry_out(plan_uninstall(workspace.layout))
    assert hook.read_text() == theirs
    assert os.access(hook, os.X_OK)


@pytest.mark.usefixtures("git")
def test_a_hook_in_another_language_is_left_alone(workspace, snapshot):
    hook = workspace.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/usr/bin/env python3\nprint(1)\n")
    before = dot_git(workspace, snapshot)

    with pytest.raises(UsageError, match="no shell script"):
        plan_install(workspace.layout)

    assert dot_git(workspace, snapshot) == before


@pytest.mark.parametrize(
    ("hooks_path", "expected"), [("tools/hooks", "tools/hooks/pre-commit"), (".husky/_", ".husky/pre-commit")]
)
def test_the_folder_of_hooks_that_the_project_chose_is_used(workspace, git, hooks_path, expected):
    git("config", "core.hooksPath", hooks_path)

    carry_out(plan_install(workspace.layout))

    text = (workspace.root / expected).read_text()
    assert "scan --staged" in text
    assert str(workspace.root) not in text
    assert not (workspace.root / ".git/hooks/pre-commit").exists()


def test_a_commit_with_a_secret_is_refused_until_it_is_masked(workspace, git, talk, awf):
    carry_out(plan_install(workspace.layout))
    talk.ask(f"mật khẩu: {SECRET}", "ok")
    workspace.save(talk)
    git("add", "-A")

    refused = git("commit", "-m", "x", ok=False)
    assert awf("redact").code == 0
    git("add", "-A")
    git("commit", "-m", "x")

    assert refused.returncode == 1
    assert "turn-001.md:" in refused.stderr
    assert "password" in refused.stderr
    assert SECRET not in refused.stderr
    assert "[REDACTED:password]" in git("show").stdout


def test_a_commit_with_a_secret_that_is_allowed_by_name_goes_through(workspace, git, talk):
    carry_out(plan_install(workspace.layout))
    talk.ask(f"mật khẩu: {SECRET}", "ok")
    workspace.save(talk)
    git("add", "-A")

    name = scan_staged(workspace.layout).spots[0].name
    (workspace.root / ".awf-archive-allow").write_text(f"{name}\n")

    git("commit", "-m", "x")


def test_only_what_is_staged_is_looked_at(workspace, git, talk):
    talk.ask(f"mật khẩu: {SECRET}", "ok")
    workspace.save(talk)

    assert scan_staged(workspace.layout).files == 0
    git("add", "-A")
    assert scan_staged(workspace.layout).spots


def test_the_driver_refuses_names_the_command_and_leaves_our_side(workspace, git, talk, talk_class, tmp_path):
    carry_out(plan_install(workspace.layout))
    workspace.save(talk.asks(2))
    git("add", "-A"), git("commit", "-qm", "base"), git("branch", "other")
    mine, yours = (
        talk_class(tmp_path / f"{n}.jsonl", f"0000000{n}-1111-4111-8111-000000000001").asks(1, f"side {n}")
        for n in (2, 3)
    )
    workspace.save(mine)
    git("add", "-A"), git("commit", "-qm", "mine"), git("checkout", "-q", "other")
    workspace.save(yours)
    git("add", "-A"), git("commit", "-qm", "yours"), git("checkout", "-q", "main")
    before = (workspace.context / "manifest.json").read_bytes()

    done = git("merge", "other", ok=False)

    assert done.returncode != 0
    assert "awf-archive merge" in done.stderr
    assert (workspace.context / "manifest.json").read_bytes() == before


@pytest.mark.usefixtures("git")
def test_a_workspace_below_the_repository_is_scanned_where_it_is(workspace_class, workspace):
    below = workspace_class(workspace.root / "apps/shop")

    carry_out(plan_install(below.layout))

    assert "--workspace apps/shop" in (workspace.root / ".git/hooks/pre-commit").read_text()
    assert '"apps/shop/.claude/' in (workspace.root / ".git/info/attributes").read_text()


def test_outside_of_a_repository_it_says_so(workspace):
    with pytest.raises(UsageError, match="not in a git repository"):
        plan_install(workspace.layout)
