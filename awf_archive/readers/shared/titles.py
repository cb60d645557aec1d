"""The first words of a text as a title, for windows that bear none."""

_TITLE_LIMIT = 120


def one_line(text: str) -> str:
    r"""Return a text's first line that holds anything, short enough for a title.

    >>> one_line("\n  fix   the parser\nplease")
    'fix the parser'
    """
    first = next((line for line in text.splitlines() if line.strip()), "")
    return " ".join(first.split())[:_TITLE_LIMIT].rstrip()
