"""Two people, one repository, for tests of `merge`."""

import pytest
from clones import Clone


@pytest.fixture
def person(tmp_path, talk_class):
    """Make another person's conversation."""

    def make(name, number):
        window = f"0000{number:04d}-1111-4111-8111-{number:012d}"
        return talk_class(tmp_path / f"transcripts/{name}-{number}.jsonl", window)

    return make


@pytest.fixture
def team(tmp_path, workspace_class):
    """A first clone with a commit, and a way to make more."""

    def clone(name, of=None):
        root = tmp_path / name
        if of is None:
            root.mkdir()
            made = Clone(root, workspace_class, name)
            made.git("init", "-q", "-b", "main")
        else:
            of.git("clone", "-q", str(of.root), str(root))
            made = Clone(root, workspace_class, name)
        (root / ".awf-archive").mkdir(exist_ok=True)
        (root / ".awf-archive/.gitignore").write_text("*\n")
        return made

    return clone


@pytest.fixture
def both(team, person):
    """An and Binh with a common history of five turns."""
    an = team("an")
    an.save(person("an", 1).asks(5, "common"))
    return an, team("binh", an)
