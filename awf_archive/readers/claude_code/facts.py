"""What a transcript says of itself: its windows, title, folder, branch and version (case B14)."""

from dataclasses import dataclass, field

from awf_archive.domain.transcript import Json
from awf_archive.readers.claude_code.tree import Tree
from awf_archive.readers.shared.titles import one_line
from awf_archive.readers.shared.values import JsonObject, text_at

_TITLE_KEYS = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}
_NAMING_TYPES = _TITLE_KEYS.keys() | {"last-prompt"}


@dataclass(slots=True)
class Facts:
    """Gathered record by record; later words win, but the folder is where the window began."""

    cwd: str = ""
    git_branch: str = ""
    tool_version: str = ""
    sessions: list[str] = field(default_factory=lambda: [""])
    """Session ids by number; 0 stands for records without one."""
    leaf: str = ""
    """Newest record of the current branch, as the tool noted it last."""
    _first_prompt: str = ""
    _first_command: str = ""
    _titles: dict[str, str] = field(default_factory=dict)
    _summaries: dict[str, str] = field(default_factory=dict)
    """By the record they end in: old versions wrote them into other sessions' files too."""
    _numbers: dict[str, int] = field(default_factory=lambda: {"": 0})
    _here: tuple[Json, Json, Json] = (None, None, None)
    _session: int = 0

    leaf_after: int = 0
    """How many records of the tree stood before that note."""

    def take(self, record: JsonObject, records: int) -> int:
        """Read the facts of a record that comes after `records` others; return its session's number."""
        if record.get("type") in _NAMING_TYPES:
            self._take_named(text_at(record, "type"), record, records)
        here = (record.get("sessionId"), record.get("gitBranch"), record.get("version"))
        if here != self._here or not self.cwd:
            self._here = here
            self._session = self._take_place(record)
        return self._session

    def _take_place(self, record: JsonObject) -> int:
        """Read where a record was written; most records repeat what the one before said."""
        self.cwd = self.cwd or text_at(record, "cwd")
        self.git_branch = text_at(record, "gitBranch") or self.git_branch
        self.tool_version = text_at(record, "version") or self.tool_version
        session = text_at(record, "sessionId")
        if session not in self._numbers:
            self._numbers[session] = len(self.sessions)
            self.sessions.append(session)
        return self._numbers[session]

    def _take_named(self, kind: str, record: JsonObject, records: int) -> None:
        """Read a record that is only there to name something."""
        if kind in _TITLE_KEYS:
            self._take_title(kind, record)
        elif kind == "last-prompt" and (leaf := text_at(record, "leafUuid")):
            self.leaf, self.leaf_after = leaf, records

    def _take_title(self, kind: str, record: JsonObject) -> None:
        title = one_line(text_at(record, _TITLE_KEYS[kind]))
        if title and kind == "summary":
            self._summaries[text_at(record, "leafUuid")] = title
        elif title:
            self._titles[kind] = title

    def note_start(self, words: str, *, is_command: bool) -> None:
        """Remember the first words typed, which name a window without a title."""
        if is_command:
            self._first_command = self._first_command or one_line(words).split(" ", 1)[0]
        else:
            self._first_prompt = self._first_prompt or one_line(words)

    def title(self, tree: Tree) -> str:
        """Return the best title there is; "" when nothing gives one."""
        own = [title for leaf, title in self._summaries.items() if leaf in tree]
        every = list(self._summaries.values())
        candidates = (
            self._titles.get("custom-title"),
            self._titles.get("ai-title"),
            *own[-1:],
            self._first_prompt,
            self._first_command,
            *every[-1:],
        )
        return next((title for title in candidates if title), "")

    def main_session(self, stem: str) -> int:
        """Return the number of the window's own id: the file's name if a record bears it, else the first."""
        return self._numbers.get(stem, 1 if len(self.sessions) > 1 else 0)

    def windows(self, stem: str) -> tuple[str, ...]:
        """Return the window's own id, then the others in order of appearance."""
        main = self.sessions[self.main_session(stem)]
        return (main or stem, *(session for session in self.sessions[1:] if session != main))
