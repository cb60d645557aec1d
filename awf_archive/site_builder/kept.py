"""What is kept between builds: masked texts (2 500 decisions take a second) and the tabs' HTML (another second)."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar, cast

from awf_archive.domain.transcript import Json
from awf_archive.render.cache import swap_in

_Value = TypeVar("_Value", bound=Json)


@dataclass(slots=True, kw_only=True)
class Kept:
    """What earlier builds made under the same rules, by name; disposable."""

    path: Path
    policy: str
    """What changes when the same bytes would give something else."""
    old: dict[str, list[Json]] = field(default_factory=dict)
    new: dict[str, list[Json]] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path, policy: str) -> "Kept":
        """Return what is kept; nothing when it does not read or the rules changed."""
        try:
            value = json.loads(path.read_bytes())
            old = dict(value["texts"]) if value["policy"] == policy else {}
        except (OSError, ValueError, KeyError, TypeError):
            old = {}
        return cls(path=path, policy=policy, old=old)

    def get(self, name: str, data: bytes, make: Callable[[], _Value]) -> _Value:
        """Return what `make` gives for these bytes, as it was if they are the same."""
        digest = blake2b(data, digest_size=16).hexdigest()
        kept = self.old.get(name)
        value = cast("_Value", kept[1]) if kept and kept[0] == digest else make()
        self.new[name] = [digest, value]
        return value

    def save(self) -> None:
        """Keep what this build used."""
        if self.new != self.old:
            value = {"policy": self.policy, "texts": self.new}
            swap_in(self.path, json.dumps(value, separators=(",", ":")).encode())
