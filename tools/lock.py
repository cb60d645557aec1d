"""Resolve the dependencies of pyproject.toml into hashed locks for every platform, naming no host."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {"runtime.txt": (), "dev.txt": ("--extra", "dev")}
OPTIONS = ("--universal", "--generate-hashes", "--no-emit-index-url", "--no-emit-find-links", "--no-header")
HOST = re.compile(r"://|^--|\b[a-z0-9-]+\.(?:org|com|io|net|dev)\b", re.MULTILINE)


def main() -> int:
    """Write both locks; pass `--upgrade` for newer versions."""
    uv = shutil.which("uv", path=f"{ROOT / '.venv' / 'bin'}:{ROOT}") or shutil.which("uv")
    if uv is None:
        sys.exit("Locks are made by uv, which is not here: .venv/bin/pip install uv")
    for name, extra in LOCKS.items():
        path = ROOT / "requirements" / name
        command = [uv, "pip", "compile", "--quiet", "pyproject.toml", *extra, *OPTIONS]
        subprocess.run([*command, *sys.argv[1:], "-o", path], check=True, cwd=ROOT)
        lock = path.read_text(encoding="utf-8")
        if found := HOST.search(lock):
            sys.exit(f"{path}: names a host or an option: {found.group()}")
        print(f"{path.relative_to(ROOT)}: {len(re.findall(r'(?m)^[a-z].*==', lock))} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
