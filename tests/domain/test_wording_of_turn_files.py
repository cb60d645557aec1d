"""The headings of turn files are those of the wording, in every language."""

from awf_archive.domain import turn_file
from awf_archive.domain.wording import WORDINGS


def test_the_headings_that_are_read_are_those_that_are_written():
    written = {(words.user_heading, words.assistant_heading) for words in WORDINGS.values()}

    assert written == set(zip(turn_file.USER_HEADINGS, turn_file.ASSISTANT_HEADINGS, strict=True))
