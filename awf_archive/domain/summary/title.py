"""What a prompt, and a session, is called: the user's own words without greetings and logs (SPEC 1.6)."""

from collections.abc import Iterable
from itertools import islice

from awf_archive.domain.summary.boilerplate import plain
from awf_archive.domain.summary.cues import ID, leans
from awf_archive.domain.summary.gist import bounded, is_telling
from awf_archive.domain.summary.sentences import prose
from awf_archive.domain.summary.terms import terms
from awf_archive.domain.summary.weak_titles import is_weak
from awf_archive.domain.tool_lines import one_line

_LOOKS = 8


def first_sentence(text: str, limit: int = 160) -> str:
    """Return the first sentence that says something, on one line; of a text without one, its first words.

    >>> first_sentence("```py\\nx\\n```\\nSửa lỗi đăng nhập đi. Rồi viết test.")
    'Sửa lỗi đăng nhập đi.'
    >>> first_sentence("Good. Check how many files that makes. Then stop.")
    'Check how many files that makes.'
    >>> first_sentence("我们来设计一个新的用户屏蔽接口吧。先看表结构"), first_sentence("```py\\nx\\n```")
    ('我们来设计一个新的用户屏蔽接口吧。', 'x')
    """
    said = list(islice(prose(bounded(text)), _LOOKS))
    plainly = [one for sentence in said if (one := plain(sentence))]
    told = next(filter(is_telling, plainly), "") or max(plainly, key=len, default="")
    return one_line(told or next(iter(said), "") or _first_words(text), limit)


def _first_words(text: str) -> str:
    lines = (line.strip().lstrip("#>*- \t") for line in text[:_FIRST].split("\n"))
    return next((line for line in lines if line and not line.startswith(("```", "~~~", "<"))), "")


_FIRST = 4_000


def session_title(titles: Iterable[str]) -> str:
    """Return the prompt that best tells what a session was about: full of words, and near its beginning.

    >>> session_title(["continue", "yes please", "Add an export command to the CLI"])
    'Add an export command to the CLI'
    """
    said = [title for title in titles if title]
    given = [title for title in said if not is_weak(title)] or said

    def telling(place: int) -> float:
        title = given[place]
        worth = (
            min(len(terms(title)), _ENOUGH) * (0.5 if leans(title) else 1) * (0.4 if ID.search(title) else 1)
        )
        return worth / (1 + place * 0.3)

    return given[max(range(len(given)), key=telling)] if given else ""


_ENOUGH = 3
"""Words from which on a title tells enough."""


def best_title(given: Iterable[str], titles: Iterable[str]) -> str:
    """Return the first of the given titles that tells anything, else what the prompts give, else whatever is given.

    >>> best_title(["New Chat", ""], ["hi", "Add an export command to the CLI"])
    'Add an export command to the CLI'
    >>> best_title(["Export for the CLI"], ["Add an export command to the CLI"])
    'Export for the CLI'
    """
    known = [title for title in given if title]
    strong = next((title for title in known if not is_weak(title)), "")
    return strong or session_title(titles) or next(iter(known), "")
