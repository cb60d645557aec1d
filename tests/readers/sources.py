"""Sources over bytes and over folders, with the protocol that the real ones have."""

import io
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class BytesSource:
    """A transcript in memory; `beside` holds its companions by path."""

    data: bytes
    stem: str = "input"
    beside: dict[str, bytes] = field(default_factory=dict)

    @property
    def name(self):
        return f"{self.stem}.jsonl"

    @property
    def path(self):
        return Path(self.name)

    @property
    def size(self):
        return len(self.data)

    def read(self, offset, length):
        return self.data[offset : offset + length]

    def companions(self, pattern):
        parts = pattern.format(stem=self.stem).split("/")
        return {
            path: BytesSource(data, Path(path).stem)
            for path, data in self.beside.items()
            if len(path.split("/")) == len(parts)
            and all(Path(name).match(part) for name, part in zip(path.split("/"), parts, strict=True))
        }

    def first_words(self):
        return "bytes"


@dataclass(frozen=True)
class PathSource:
    """A transcript on disk."""

    path: Path

    @property
    def name(self):
        return str(self.path)

    @property
    def stem(self):
        return self.path.stem

    @property
    def size(self):
        return self.path.stat().st_size

    def read(self, offset, length):
        with self.path.open("rb", buffering=0) as file:
            file.seek(offset, io.SEEK_SET)
            return file.read(length)

    def companions(self, pattern):
        folder = self.path.parent
        found = sorted(folder.glob(pattern.replace("{stem}", self.stem)))
        return {
            path.relative_to(folder).as_posix(): PathSource(path)
            for path in found
            if path.is_file() and path != self.path
        }

    def first_words(self):
        return "a file"
