"""Where the program starts."""

import sys


def main() -> None:
    """Run a command and leave with its exit code."""
    from awf_archive.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
