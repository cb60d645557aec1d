import re
import tomllib

import pytest

from awf_archive import errors
from awf_archive.cli import COMMANDS
from awf_archive.readers import READERS

PAGES = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "STYLE.md",
    "ARCHITECTURE.md",
    "LICENSE",
    "docs/README.vi.md",
    "docs/README.zh.md",
    "docs/archive-format.md",
    "docs/commands.md",
    "docs/dependencies.md",
    "docs/glossary.md",
    "docs/performance.md",
)


@pytest.mark.parametrize("page", PAGES)
def test_the_page_exists_and_says_something(root, page):
    assert len((root / page).read_text(encoding="utf-8")) > 300


@pytest.mark.parametrize("page", ["README.md", "docs/README.vi.md", "docs/README.zh.md"])
def test_every_make_task_a_readme_names_exists(root, page):
    makefile = (root / "Makefile").read_text(encoding="utf-8")

    named = set(re.findall(r"^make ([a-z]+)", (root / page).read_text(encoding="utf-8"), re.MULTILINE))

    assert {"demo", "test"} <= named
    assert {task for task in named if not re.search(rf"^{task}:", makefile, re.MULTILINE)} == set()


def test_every_dependency_has_its_row_in_the_docs(root):
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = project["dependencies"] + project["optional-dependencies"]["dev"]
    page = (root / "docs/dependencies.md").read_text(encoding="utf-8")

    names = [re.split(r"[<>=!\[]", each)[0] for each in listed]

    assert [name for name in names if name not in page] == []


def test_every_task_of_the_makefile_says_what_it_does(root):
    makefile = (root / "Makefile").read_text(encoding="utf-8")

    tasks = re.findall(r"^([a-z]+):(.*)$", makefile, re.MULTILINE)

    assert [name for name, rest in tasks if "## " not in rest] == []


@pytest.mark.parametrize("page", ["README.md", "docs/README.vi.md", "docs/README.zh.md"])
def test_every_format_that_can_be_read_is_named(root, page):
    text = (root / page).read_text(encoding="utf-8")

    assert [reader.title for reader in READERS if reader.title not in text] == []


def test_every_command_has_its_section(root):
    page = (root / "docs/commands.md").read_text(encoding="utf-8")

    assert [row.name for row in COMMANDS if f"\n## {row.name}\n" not in page] == []


def test_every_exit_code_and_kind_of_error_is_documented(root):
    page = (root / "docs/json.md").read_text(encoding="utf-8")
    classes = [each for each in vars(errors).values() if isinstance(each, type)]

    assert len(classes) > 5
    assert [each.kind for each in classes if f"`{each.kind}`" not in page] == []
    assert [each.exit_code for each in classes if f"| {each.exit_code} |" not in page] == []
