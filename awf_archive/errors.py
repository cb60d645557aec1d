"""Every error a user can meet, as one tree; each class owns its exit code (SPEC 9).

ArchiveError                6  anything of ours
├── NegativeAnswerError     1  the answer is no
│   ├── NoArchiveError      1  nothing was ever saved here
│   └── ClusterError        1  the team's search does not answer, or refuses
├── UsageError              2  wrong words on the command line or in a setting
│   └── FeatureNameError    2  a feature name that would not be a safe folder
├── InputError              3  a transcript that cannot be read
│   ├── UnknownFormatError  3
│   ├── AmbiguousFormatError 3
│   └── DamagedArchiveError 3  a file of the archive that does not read
├── LockedError             4  someone else holds the lock too long
└── DiskError               5  full, read-only, no permission
"""

from typing import ClassVar


class ArchiveError(Exception):
    """Root of the tree: says where, what, and in `hint` what to do next."""

    exit_code: ClassVar[int] = 6
    kind: ClassVar[str] = "internal"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class NegativeAnswerError(ArchiveError):
    """The question was understood and the answer is no."""

    exit_code = 1
    kind = "no"


class NoArchiveError(NegativeAnswerError):
    """Nothing was ever saved here."""

    kind = "noArchive"


class ClusterError(NegativeAnswerError):
    """The team's search cluster does not answer, or refuses us; what is to be sent waits."""

    kind = "cluster"


class UsageError(ArchiveError):
    """Wrong words on the command line or in a settings file."""

    exit_code = 2
    kind = "usage"


class FeatureNameError(UsageError):
    """A feature name that would not be a safe folder name (SPEC 1.1)."""

    kind = "featureName"


class InputError(ArchiveError):
    """Something we were asked to read cannot be read."""

    exit_code = 3
    kind = "input"


class UnknownFormatError(InputError):
    """No reader accepts the file."""

    kind = "unknownFormat"


class AmbiguousFormatError(InputError):
    """Several readers accept the file."""

    kind = "ambiguousFormat"


class DamagedArchiveError(InputError):
    """A file of the archive itself does not read."""

    kind = "damagedArchive"


class LockedError(ArchiveError):
    """Someone else holds the lock for too long."""

    exit_code = 4
    kind = "locked"


class DiskError(ArchiveError):
    """The disk is full, read-only, or refuses us."""

    exit_code = 5
    kind = "disk"
