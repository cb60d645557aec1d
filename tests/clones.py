"""Clones of one repository, each a person's: what tests of `merge` work with."""

import os
import subprocess

from awf_archive.domain.wording import WORDINGS
from awf_archive.services.merge import Merging, merge
from awf_archive.services.verify import verify

NOW = "2026-03-06T10:00:00Z"


class Clone:
    """One person's working copy."""

    def __init__(self, root, workspace_class, name):
        self.workspace = workspace_class(root)
        self.root, self.name = root, name

    def git(self, *arguments, ok=True):
        identity = {
            f"GIT_{who}_{what}": f"{self.name}{'@example.invalid' if what == 'EMAIL' else ''}"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | identity | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull},
        )
        assert not ok or done.returncode == 0, done.stdout + done.stderr
        return done

    def commit(self, message="checkpoint"):
        self.git("add", "-A")
        self.git("commit", "-qm", message)

    def save(self, talk, **options):
        done = self.workspace.save(talk, **options)
        self.commit()
        return done

    def fetch(self, other):
        self.git("fetch", "-q", str(other.root), f"+HEAD:refs/heads/from-{other.name}")
        return f"from-{other.name}"

    def merge(self, reference=None, **options):
        wanted = {"archive": self.workspace.archive, "now": NOW, "words": WORDINGS["en"], "threshold": 20}
        return merge(Merging(**(wanted | options)), reference)

    def pull(self, other, **options):
        """Merge the other's branch as git and we do it together; commit."""
        reference = self.fetch(other)
        if self.git("merge", "-q", "--no-edit", reference, ok=False).returncode == 0:
            return None
        done = self.merge(**options)
        assert done.is_staged
        assert done.left == ()
        self.git("commit", "-q", "--no-edit")
        return done

    def texts(self):
        return [user for _, user, _, _ in self.workspace.turns()]

    def numbers(self):
        return [number for number, *_ in self.workspace.turns()]

    def is_sound(self):
        report = verify(self.workspace.archive, None, threshold=20, quick=False)
        assert report.findings == []
        assert self.git("status", "--porcelain").stdout == ""
        return True


def decide(talk, question, answer):
    talk.user(f"about {question}")
    asked = [{"question": question, "header": "H", "options": [{"label": answer}]}]
    talk.call(
        "AskUserQuestion", {"questions": asked}, f'User has answered your questions: "{question}"="{answer}"'
    )
    talk.reply("Good.")
    return talk
