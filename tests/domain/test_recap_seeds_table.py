import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_test_that_the_seeds_table_names_exists():
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs/seeds.md").read_text(encoding="utf-8")))
    there = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }

    assert len(named) > 80
    assert named - there == set()


def test_every_file_that_the_seeds_table_names_exists():
    named = set(
        re.findall(
            r"`((?:domain|services|brain|cli)/[\w/]+\.py)`",
            (ROOT / "docs/seeds.md").read_text(encoding="utf-8"),
        )
    )

    assert [name for name in named if not (ROOT / "awf_archive" / name).exists()] == []
