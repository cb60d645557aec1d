"""`site publish` to a branch: the site becomes a commit without the work tree or the index being touched."""

import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from awf_archive.errors import UsageError
from awf_archive.site_builder.writer import STATE_FILE

_NO_JEKYLL = ".nojekyll"
"""Tells GitHub Pages to take the files as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """Where the site goes in git."""

    repository: Path
    name: str
    remote: str = ""
    """Pushed there when named."""


def publish_branch(site: Path, branch: Branch) -> bool:
    """Commit the site to a branch and push it when a remote is named; return whether anything changed.

    Raises UsageError when git refuses, or when the branch is the one that is checked out.
    """
    _check(branch)
    ref = f"refs/heads/{branch.name}"
    parent = _git(branch, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}", fails="")
    tree = _tree(site, branch)
    is_new = not parent or _git(branch, "rev-parse", f"{parent}^{{tree}}") != tree
    if is_new:
        parents = ("-p", parent) if parent else ()
        commit = _git(branch, "commit-tree", tree, *parents, "-m", "site: built by awf-archive")
        _git(branch, "update-ref", ref, commit, parent or "0" * len(commit))
    if branch.remote:
        _git(branch, "push", "--", branch.remote, f"{ref}:{ref}")
    return is_new


def _check(branch: Branch) -> None:
    _git(branch, "check-ref-format", "--branch", branch.name)
    used = _git(branch, "worktree", "list", "--porcelain").splitlines()
    if f"branch refs/heads/{branch.name}" in used:
        raise UsageError(
            f"--branch {branch.name}: is checked out, and the site would replace what it holds.",
            "Name a branch for the site alone, such as gh-pages.",
        )


def _tree(site: Path, branch: Branch) -> str:
    """Write the site's files as a tree, through an index of our own."""
    with tempfile.TemporaryDirectory(prefix="awf-index-") as folder:
        index = Path(folder) / "index"
        exact = ("-c", "core.autocrlf=false", "-c", "core.safecrlf=false", "-c", "core.fileMode=false")
        _git(branch, *exact, "add", "--all", "--force", ".", index=index, site=site)
        _git(
            branch, "rm", "--cached", "--quiet", "--ignore-unmatch", "--", STATE_FILE, index=index, site=site
        )
        empty = _git(branch, "hash-object", "-w", "--stdin")
        _git(
            branch,
            "update-index",
            "--add",
            "--cacheinfo",
            f"100644,{empty},{_NO_JEKYLL}",
            index=index,
            site=site,
        )
        return _git(branch, "write-tree", index=index, site=site)


def _git(
    branch: Branch, *words: str, index: Path | None = None, site: Path | None = None, fails: str | None = None
) -> str:
    """Run git in the repository; `fails` is what to return instead of raising."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    kept = ("GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_SSH", "GIT_CONFIG_", "GIT_ASKPASS")
    environment |= {name: value for name, value in os.environ.items() if name.startswith(kept)}
    command = ["git", "-C", str(branch.repository), *words]
    if index and site:
        environment["GIT_INDEX_FILE"] = str(index)
        command = ["git", "-C", str(site), f"--git-dir={_git_folder(branch)}", f"--work-tree={site}", *words]
    try:
        done = subprocess.run(  # noqa: S603 - git, with our own words; names of branches are checked by git first
            command, check=True, capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL
        )
    except FileNotFoundError as problem:
        raise UsageError("git: not found.", "Install git, or publish with --folder or --rsync.") from problem
    except subprocess.CalledProcessError as problem:
        if fails is not None:
            return fails
        told = (problem.stderr or problem.stdout).strip() or f"status {problem.returncode}"
        raise UsageError(
            f"git {words[0]}: {told}", "Run the command in the project's own repository."
        ) from problem
    return done.stdout.strip()


def _git_folder(branch: Branch) -> str:
    return _git(branch, "rev-parse", "--absolute-git-dir")
