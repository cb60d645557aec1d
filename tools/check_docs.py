"""Keep the docs true: command output is made anew and compared, links lead somewhere. `--write` updates.

Output stands between `<!-- run: awf-archive --help -->` and `<!-- end -->`; the commands of a page share a workspace
in which `conversation.jsonl` is the sample. After `<!-- formats -->` stand the formats that can be read. The page
`docs/commands.md` is made whole.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "samples/claude-code/-home-linh-shop/5d0c7a52-3f0e-4b7e-9a41-2c6f8e1b7d90.jsonl"
COMMANDS = ROOT / "docs" / "commands.md"
BLOCK = re.compile(r"(<!-- run: (?P<command>.+?) -->\n).*?(<!-- end -->)", re.DOTALL)
FORMATS = re.compile(r"(<!-- formats -->\n).*?(<!-- end -->)", re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)\s#]+)[^)]*\)")
FENCED = re.compile(r"^(`{3,}).*?^\1`*$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
OURS = ("*.md", "docs/**/*.md")
HEAD = """\
# Commands

Made by `make docs` from each command's own help; change it there.
"""


def main() -> int:
    """Check, or with `--write` update; return the number of findings as a yes or no."""
    wanted = {path: renew(path.read_text(encoding="utf-8")) for path in pages() if path != COMMANDS}
    wanted[COMMANDS] = commands_page()
    stale = [
        path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if "--write" in sys.argv:
        for path in stale:
            path.write_text(wanted[path], encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")
        stale = []
    findings = [f"{path.relative_to(ROOT)}: stale; run make docs" for path in stale]
    findings += [finding for path, text in wanted.items() for finding in dead_links(path, text)]
    print("\n".join(findings) or f"docs: {len(wanted)} pages are true")
    return 1 if findings else 0


def pages() -> list[Path]:
    """Return the pages we write, in order."""
    return sorted({path for pattern in OURS for path in ROOT.glob(pattern)})


def renew(text: str) -> str:
    """Return a page with the output of every command in it made anew, all in one workspace, in order."""
    text = FORMATS.sub(lambda found: f"{found[1]}{formats()}\n{found[2]}", text)
    if not BLOCK.search(text):
        return text
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder)
        (workspace / ".awf-archive").mkdir()
        shutil.copy(SAMPLE, workspace / "conversation.jsonl")
        shutil.copytree(SAMPLE.with_suffix(""), workspace / "conversation")
        return BLOCK.sub(lambda found: f"{found[1]}{shown(found['command'], workspace)}{found[3]}", text)


def formats() -> str:
    """Return the names of all formats that can be read, as people know them."""
    from awf_archive.readers import READERS

    return " · ".join(reader.title for reader in READERS)


def shown(command: str, workspace: Path) -> str:
    """Return a command and its output as a terminal shows them, fenced."""
    return fenced(f"$ {command}\n{output(command, workspace)}")


def fenced(text: str) -> str:
    """Return text as a fenced block."""
    return f"```text\n{text.rstrip()}\n```\n"


def output(command: str, workspace: Path = ROOT) -> str:
    """Run a command of ours; return what it printed."""
    program, *arguments = shlex.split(command)
    plain = {
        "COLUMNS": "100",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "PATH": os.environ["PATH"],
        "HOME": str(workspace),
    }
    run = [Path(sys.executable).with_name(program), *arguments]
    return subprocess.run(run, cwd=workspace, env=plain, stdout=subprocess.PIPE, text=True, check=True).stdout


def commands_page() -> str:
    """Return the page of every command, from the command tree itself."""
    parts = [f"\n## {words}\n\n" + fenced(output(f"awf-archive {words} --help")) for words in command_names()]
    return f"{HEAD}\n" + fenced(output("awf-archive --help")) + "".join(parts)


def command_names() -> list[str]:
    """Return every command, subcommands as `site build`, in the order of the help."""
    import click

    from awf_archive.cli.group import cli

    def walk(group: click.Group, before: str, context: click.Context) -> list[str]:
        names = []
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if command is None or command.hidden:
                continue
            names.append(f"{before}{name}")
            if isinstance(command, click.Group):
                names += walk(
                    command, f"{before}{name} ", click.Context(command, parent=context, info_name=name)
                )
        return names

    return walk(cli, "", click.Context(cli))


def dead_links(path: Path, text: str) -> list[str]:
    """Return a finding for each relative link that leads nowhere."""
    links = LINK.findall(FENCED.sub("", text))
    return [
        f"{path.relative_to(ROOT)}: dead link {link}"
        for link in links
        if not (path.parent / link).resolve().exists()
    ]


if __name__ == "__main__":
    sys.exit(main())
