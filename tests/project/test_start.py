import json
import subprocess
import sys

import pytest

HEAVY = {
    "whoosh",
    "mkdocs",
    "material",
    "markdown",
    "markdown_it",
    "pygments",
    "jinja2",
    "requests",
}
PROBE = """
import json, sys
from awf_archive.__main__ import main
sys.argv[0] = "awf-archive"
try:
    main()
except SystemExit:
    pass
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})), file=sys.stderr)
"""


def loaded(*arguments):
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("checkpoint", "--help")], ids=" ".join)
def test_starting_loads_nothing_heavy(arguments):
    assert loaded(*arguments) & HEAVY == set()
