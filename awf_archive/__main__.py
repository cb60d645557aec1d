"""Where the program starts."""

import sys


def main() -> None:
    """Run a command and leave with its exit code."""
    if sys.argv[1:2] == ["hook"]:
        import gc

        gc.disable()  # a process of milliseconds need not tidy up: saves a part of its CPU
        from awf_archive.integrations import hook

        if (tool := "".join(sys.argv[2:3])) in hook.TOOLS:
            hook.main(tool, sys.argv[3:])

    if sys.argv[1:2] == ["recap"] and sys.argv[2:] in ([], ["--inject"]):
        from awf_archive.cli.recap_quick import quick

        if (code := quick(sys.argv[1:])) is not None:
            sys.exit(code)

    from awf_archive.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
