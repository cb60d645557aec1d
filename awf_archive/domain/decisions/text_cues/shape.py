"""The shape of one language's cues of decision.

All are regular expressions over one sentence in lower case, its code, quotations and links replaced by holes and
its full-width signs by narrow ones. Vietnamese is written with its marks; for a text without marks they are taken
off the pattern too. None may hold a capital class (`\\S` is allowed), a back reference or an unbounded repetition
of a group: a stranger's sentence must cost what its length is.
"""

from typing import NamedTuple

FIRM = 0.9
"""Confidence of words that leave no doubt: said by the user, they make a decision accepted."""

LIKELY = 0.6
"""Confidence of words that often decide: what they say is proposed, whoever said it."""

RULE = 0.5
"""Confidence of how things are, said plainly: a decision only where nothing `tells` or `orders`."""


class Cue(NamedTuple):
    """Words that decide. The decision is the sentence from where they begin."""

    words: str
    """Plain words parted by `|`, one of which a sentence must hold before the pattern is tried, or even compiled."""
    pattern: str
    """Where these words stand is `<>`. `(?P<chosen>…)` and `(?P<refused>…)` name what was taken and what was not, where
    the words say so."""
    by: str = ""
    """`user` or `assistant` when only one of them decides with such words; "" for both."""
    confidence: float = LIKELY
    is_marked: bool = False
    """Only in a text with marks: without them the words mean too much (`dùng`, `đừng` and `dừng` are `dung`)."""


class Cues(NamedTuple):
    """What one language says."""

    language: str
    needs: str
    """What a text with more than ASCII must hold to be in this language, at least in part."""
    needs_in_ascii: str
    """The same of a text in ASCII alone; "" where all such text may be."""
    openers: str
    """What may stand before a cue at the beginning of a clause: `ok`, `please`, who speaks."""
    joint: str
    """What parts an opener from what follows: blanks, or nothing in Chinese."""
    breaks: str
    """What begins a clause besides punctuation: `but`, `so`."""
    cues: tuple[Cue, ...]
    doubts: str
    """Anywhere in a sentence: nothing is decided (`if`, `maybe`, `not decided yet`)."""
    asks: str
    """Anywhere in a sentence: it is a question, with or without its mark."""
    weighs: str
    """Anywhere in a question: it asks what to do, not for work or for a fact."""
    leaves: str
    """Anywhere in an assistant's sentence: several ways are open."""
    requests: str
    """How a sentence begins that asks in form only (`can you`): what follows is wanted."""
    works: str
    """How a reply begins that orders work or only chats: it answers nothing."""
    tells: str
    """Anywhere in a sentence: it tells what happened, what is wrong, who knows what; only firm words decide then."""
    orders: str
    """Anywhere in a sentence: it orders work, points at something, or is code; no rule."""
    announces: str
    """How a sentence ends that only says that something follows it."""
    because: str
    """Parts a decision from its reason, which follows."""
    because_first: str
    """A whole sentence that gives its reason first, as `(?P<reason>…)`; the decision follows it."""
    explains: str
    """How a sentence begins that gives the reason of the one before it."""
    offers: str
    """How an assistant asks for leave to do what follows."""
    recommends: str
    """How an assistant says what it would do; what follows is the proposal."""
    plans: str
    """Those of them that only say what comes next."""
    trifles: str
    """How an offer goes on that is no decision: to run, to show, to go on."""
    choices: str
    """Anywhere in what was offered: it is a choice, not only a task."""
    empties: str
    """Offers that name nothing (`shall I proceed?`): the recommendation before them is what was offered."""
    judges: str
    """Those of them that ask what the user thinks of all that was laid out."""
    option_words: str
    """What an option is called before its letter or number: `option`, `phương án`, `方案`."""
    picks: str
    """A whole clause that picks an option; `(?P<which>…)` is its letter, number or place in the list."""
    ordinals: dict[str, int]
    """Words for places in a list; -1 is the last."""
    alternatives: str
    """Parts the two sides of a question, or leaves it open: `or`, `(?P<open>which)`."""
    fillers: str
    """Words without marks, by blanks (characters in Chinese), in which two ways to say the same may differ."""
    denies: str
    """Anywhere in a decision: it is one against something."""
    consents: str
    """A whole clause that agrees and asks to go on, besides those of `trigger_patterns`."""
    refuses: str
    """How a reply begins that turns an offer down."""
    overrides: str
    """Anywhere in an agreement: something else takes the place of what was proposed."""
    amends: str
    """How a clause begins that takes an agreement back or changes it: `but`."""
