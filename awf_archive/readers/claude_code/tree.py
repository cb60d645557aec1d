"""The records' parent links: duplicates, unknown parents, and which turns the user rewound.

Links are a hint. File order is the order of turns; the tree only marks branches (cases B04, B05).
"""

from array import array
from collections.abc import Iterator, Sequence
from hashlib import blake2b

NOWHERE = -1
"""No parent, or one that is not in the file."""

_UUID_LENGTH = 36

TALK, ASIDE, BOUNDARY = range(3)
"""Conversation; progress, hooks and the like; a compaction, behind which no fork reaches."""


def key_of(text: str) -> bytes:
    """Return a short key for an id: a file of a million records has two million ids to hold."""
    if len(text) == _UUID_LENGTH:
        try:
            return bytes.fromhex(text.replace("-", ""))
        except ValueError:
            pass
    return blake2b(text.encode(errors="surrogatepass"), digest_size=12).digest()


class Tree:
    """Nodes by number, in file order."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._parents = array("q")
        self._kinds = bytearray()
        self._last = ""
        """Id of the newest record, which is most often the next one's parent."""
        self._forward: dict[int, tuple[bytes, int]] = {}
        """Parents not met yet, with the line that names them: later in the file, or nowhere."""
        self.unknown_parents: list[int] = []
        """Lines of records whose parent is nowhere."""

    def __len__(self) -> int:
        return len(self._parents)

    def __contains__(self, uuid: str) -> bool:
        return key_of(uuid) in self._numbers

    def add(self, uuid: str, parent: str, kind: int, line: int) -> int:
        """Take a record in and return its number; NOWHERE when its id was there before."""
        key = key_of(uuid)
        number = len(self._parents)
        if self._numbers.setdefault(key, number) != number:
            return NOWHERE
        self._kinds.append(kind)
        known = NOWHERE
        if parent and parent != uuid:
            known = number - 1 if parent == self._last else self._numbers.get(key_of(parent), NOWHERE)
            if known == NOWHERE:
                self._forward[number] = (key_of(parent), line)
        self._parents.append(known)
        self._last = uuid
        return number

    def finish(self) -> None:
        """Resolve the parents that came after their children; keep the rest as unknown."""
        for number, (parent, line) in self._forward.items():
            known = self._numbers.get(parent, NOWHERE)
            if known == NOWHERE:
                self.unknown_parents.append(line)
            self._parents[number] = known
        self._forward.clear()

    def number(self, uuid: str) -> int:
        """Return a record's number, or NOWHERE."""
        return self._numbers.get(key_of(uuid), NOWHERE)

    def parent(self, number: int) -> int:
        """Return a record's parent, or NOWHERE."""
        return NOWHERE if number == NOWHERE else self._parents[number]

    def walk(self, number: int) -> Iterator[int]:
        """Go from a record to its root, itself included; a circle ends where it closes."""
        seen = set()
        while number != NOWHERE and number not in seen:
            seen.add(number)
            yield number
            number = self._parents[number]

    def roots(self) -> Sequence[int]:
        """Return every record's root."""
        roots = array("q", [NOWHERE]) * len(self._parents)
        for number in range(len(self._parents)):
            path: list[int] = []
            at = number
            while roots[at] == NOWHERE and self._parents[at] != NOWHERE and len(path) < len(roots):
                path.append(at)
                at = self._parents[at]
            root = at if roots[at] == NOWHERE else roots[at]
            for step in [*path, at]:
                roots[step] = root
        return roots

    def leaves(self, noted: int) -> dict[int, int]:
        """Return the newest record of the conversation by root: a broken chain leaves several trees.

        `noted` is the end of the current branch as the tool wrote it down, or NOWHERE.
        """
        roots = self.roots()
        newest = {roots[number]: number for number, kind in enumerate(self._kinds) if kind == TALK}
        if noted != NOWHERE:
            newest[roots[noted]] = noted
        return newest

    def newest_talk(self) -> int:
        """Return the newest record of the conversation, or NOWHERE."""
        return self._kinds.rfind(TALK)

    def _spoken_parent(self, number: int) -> int:
        """Return the nearest ancestor that is conversation; a compaction ends the search."""
        for ancestor in self.walk(self._parents[number]):
            if self._kinds[ancestor] != ASIDE:
                return ancestor
        return NOWHERE

    def abandoned(self, starts: Sequence[int], leaves: dict[int, int]) -> list[bool]:
        """Tell for each turn, by its starting record, whether the user rewound to before it.

        A turn is left behind when a later turn of the current branch hangs on one of its ancestors; being
        off the path from the leaf alone proves nothing, because chains break.
        """
        roots = self.roots()
        depths = {number: -steps for leaf in leaves.values() for steps, number in enumerate(self.walk(leaf))}
        highest_fork: dict[int, int] = {}
        left = [False] * len(starts)
        for place in range(len(starts) - 1, -1, -1):
            start = starts[place]
            parent = self._spoken_parent(start) if start != NOWHERE else NOWHERE
            if parent == NOWHERE:
                continue
            fork = highest_fork.get(roots[start], 1)
            if start in depths:
                highest_fork[roots[start]] = min(fork, depths.get(parent, 1))
            else:
                meeting = next((depths[number] for number in self.walk(parent) if number in depths), None)
                left[place] = meeting is not None and fork <= meeting
        return left
