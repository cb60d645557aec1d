"""What the tests of formats with several conversations a file share: case folders, damage, what must not be lost."""

import json
from contextlib import suppress
from copy import deepcopy
from pathlib import Path

from hypothesis import strategies as st
from shown import blocks_within, show

from awf_archive.domain.transcript import Attachment, Text
from awf_archive.errors import ArchiveError

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared"
CORPUS = SHARED / "corpus"
JUNK = st.sampled_from([None, True, 0, -1, 1e300, 10**30, "", "x", "\ud800", [], [None], {}, {"a": [1]}])


def cases(name):
    return sorted((HERE / name).iterdir())


def shown(transcripts):
    return json.loads(json.dumps([show(one) for one in transcripts]))


def expected(case):
    return json.loads((case / "expected.json").read_bytes())


def source_file(case):
    return next(case.glob("input.*"))


def words(transcripts):
    """Every text that stands anywhere in the conversations."""
    found = []
    for transcript in transcripts:
        for turn in transcript.turns():
            found += [
                block.text for block in blocks_within([*turn.user, *turn.assistant]) if hasattr(block, "text")
            ]
            assert set(turn.payloads) == {
                block.file
                for block in blocks_within([*turn.user, *turn.assistant])
                if isinstance(block, Attachment)
            }
    return found


def prompts(transcripts):
    return [
        "\n\n".join(block.text for block in turn.user if isinstance(block, Text))
        for transcript in transcripts
        for turn in transcript.turns()
    ]


def reads_or_says_why(reader, source):
    """Read everything; nothing but our own errors may come out."""
    assert reader.accepts(source) in {True, False}
    with suppress(ArchiveError):
        words(reader.read(source))


@st.composite
def damaged(draw, contents):
    """One of the files with a piece cut out, put in twice, or bytes changed."""
    data = draw(st.sampled_from(contents))
    one, other = sorted(draw(st.tuples(st.integers(0, len(data)), st.integers(0, len(data)))))
    kind = draw(st.sampled_from(["cut", "without", "twice", "bytes"]))
    if kind == "bytes":
        changed = bytearray(data)
        for place, byte in draw(
            st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), max_size=20)
        ):
            changed[place % len(changed)] = byte
        return bytes(changed)
    return {"cut": data[:one], "without": data[:one] + data[other:], "twice": data[:other] + data[one:]}[kind]


@st.composite
def with_wrong_types(draw, values):
    """One of the JSON values with a few of its parts replaced by something else."""
    value = json.loads(draw(st.sampled_from(values)))
    for _ in range(draw(st.integers(1, 4))):
        holders = list(_holders(value))
        holder, key = holders[draw(st.integers(0, len(holders) - 1))]
        holder[key] = deepcopy(draw(JUNK))
        if not list(_holders(value)):
            break
    return value


def _holders(value):
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in list(pairs):
        yield value, key
        yield from _holders(part)
