"""Where every file lies; no other module makes a path (ARCHITECTURE, "On disk")."""

from dataclasses import dataclass
from pathlib import Path

from awf_archive.domain.features import check_feature
from awf_archive.domain.ids import SessionId
from awf_archive.errors import FeatureNameError

ARCHIVE_DIR = ".claude/spec-workflow/specs"
PRIVATE_DIR = ".awf-archive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The folders and files of one workspace."""

    root: Path
    archive_dir: str = ARCHIVE_DIR
    """Relative to the workspace unless absolute (setting `archive_dir`)."""

    @property
    def archive(self) -> Path:
        """The folder of all features."""
        return self.root / self.archive_dir

    @property
    def private(self) -> Path:
        """Derived and passing files, never in git."""
        return self.root / PRIVATE_DIR

    @property
    def index(self) -> Path:
        """The search index."""
        return self.private / "index"

    @property
    def render_cache(self) -> Path:
        """Rendered turns of the site."""
        return self.private / "render"

    @property
    def site(self) -> Path:
        """The built site."""
        return self.private / "site"

    @property
    def lock(self) -> Path:
        """Held by whoever changes the archive."""
        return self.private / "lock"

    @property
    def ignore(self) -> Path:
        """Keeps git out of what is derived."""
        return self.private / ".gitignore"

    def features(self) -> list[str]:
        """Return the features that have an archive, sorted; folders with unsafe names are none of ours."""
        found = (path.parent.parent.name for path in self.archive.glob("*/.context/manifest.json"))
        return sorted(name for name in found if _is_feature(name))

    def specs(self) -> list[str]:
        """Return every feature folder, archived or not, sorted."""
        if not self.archive.is_dir():
            return []
        return sorted(one.name for one in self.archive.iterdir() if one.is_dir() and _is_feature(one.name))

    def archived_specs(self) -> list[str]:
        """Return the features that have an archive or what is left of one, sorted: also without a manifest."""
        return [name for name in self.specs() if self.context(name).is_dir()]

    def spec(self, feature: str) -> Path:
        """The feature's folder, where `requirements.md` lies too."""
        return self.archive / check_feature(feature)

    def context(self, feature: str) -> Path:
        """The feature's archive."""
        return self.spec(feature) / ".context"

    def manifest(self, feature: str) -> Path:
        """The commit point."""
        return self.context(feature) / "manifest.json"

    def decisions(self, feature: str) -> Path:
        """The feature's decisions."""
        return self.context(feature) / "decisions.json"

    def attributes(self, feature: str) -> Path:
        """Keeps git from changing line ends."""
        return self.context(feature) / ".gitattributes"

    def conversations(self, feature: str) -> Path:
        """Sessions and chunks."""
        return self.context(feature) / "conversations"

    def set_aside(self, feature: str) -> Path:
        """What a crash left half done."""
        return self.conversations(feature) / "set-aside"

    def sessions(self, feature: str) -> Path:
        """The folder of all sessions."""
        return self.conversations(feature) / "sessions"

    def session(self, feature: str, session_id: SessionId) -> Path:
        """One session's folder."""
        return self.sessions(feature) / session_id

    def chunk(self, feature: str, chunk_id: str) -> Path:
        """One chunk file."""
        return self.conversations(feature) / "semantic-chunks" / f"{chunk_id}.md"

    def plain_chunk(self, feature: str, chunk_id: str) -> Path:
        """The chunk made without a model, beside one that a model wrote."""
        return self.conversations(feature) / "semantic-chunks" / f"{chunk_id}.plain.md"

    def relative(self, path: Path) -> str:
        """Return a path as files hold it: relative to the workspace, with `/`; absolute when outside."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return path.as_posix()


METADATA = "metadata.json"
ATTACHMENTS = "attachments"
REVISIONS = "revisions"


def turn_name(local: int) -> str:
    """Return a turn file's name: three digits at least.

    >>> turn_name(7), turn_name(1000)
    ('turn-007.md', 'turn-1000.md')
    """
    return f"turn-{local:03d}.md"


def revision_name(local: int, revision: int) -> str:
    """Return the name under which a turn's earlier text is kept, relative to the session's folder."""
    return f"{REVISIONS}/turn-{local:03d}.{revision}.md"


def session_name(number: int) -> SessionId:
    """Return the id of a session by its number."""
    return SessionId(f"session-{number:03d}")


def chunk_name(number: int) -> str:
    """Return the id of a chunk by its number."""
    return f"chunk-{number:03d}"


def _is_feature(name: str) -> bool:
    try:
        return check_feature(name) == name
    except FeatureNameError:
        return False
