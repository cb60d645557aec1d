"""The indices of a team: one a month, made when a turn of that month is sent, behind one alias that is searched."""

import re
from collections.abc import Iterable

from awf_archive.search.opensearch.client import Client, MissingIndexError, only_our_errors, unless_there
from awf_archive.search.opensearch.schema import MAPPING_VERSION, generation, index_body, place_of

_TIMEOUT = 30.0
"""Seconds for what changes the cluster itself."""


class Places:
    """What indices there are; asks once. Raises ClusterError."""

    def __init__(self, client: Client, alias: str, shards: int, version: int = MAPPING_VERSION) -> None:
        self.client = client
        self.alias = alias
        self._shards = shards
        self._version = version
        self._found = _found(client, alias)
        hidden = [name for name, is_live in self._found.items() if self.is_ours(name) and not is_live]
        if hidden and self.is_live:  # made while another machine changed places
            self._point([{"add": {"index": name, "alias": alias}} for name in hidden])

    @property
    def generation(self) -> str:
        """What our indices are named after."""
        return generation(self._version)

    @property
    def all(self) -> tuple[str, ...]:
        """Every index of the team, of whatever version."""
        return tuple(sorted(self._found))

    @property
    def live(self) -> frozenset[str]:
        """The indices that are searched."""
        return frozenset(name for name, is_live in self._found.items() if is_live)

    @property
    def is_live(self) -> bool:
        """Whether indices made as we make them are those that are searched."""
        return all(map(self.is_ours, self.live))

    def is_ours(self, name: str) -> bool:
        """Whether an index is of our version."""
        return name.startswith(f"{self.alias}-{self.generation}-")

    def exists(self, place: str) -> bool:
        """Whether there is such an index."""
        return place in self._found

    def ready(self, time: str) -> str:
        """Return the index for a turn of this time, made if need be."""
        place = place_of(self.alias, time, self._version)
        if place not in self._found:
            self._make(place)
        return place

    def _make(self, place: str) -> None:
        self._found = _found(self.client, self.alias)
        if place in self._found:
            return
        body = index_body(self.alias, self._shards, is_live=self.is_live)
        with only_our_errors(place), unless_there():
            self.client.indices.create(
                index=place, body=body, params={"wait_for_active_shards": "1"}, request_timeout=_TIMEOUT
            )
        self._found[place] = self.is_live

    def change(self, old: Iterable[str]) -> None:
        """Let the alias lead to our indices and no longer to the old ones, in one step."""
        ours = f"{self.alias}-{self.generation}-*"
        with only_our_errors(self.alias):
            self.client.indices.refresh(index=ours, request_timeout=_TIMEOUT)
        actions = [{"remove": {"index": name, "alias": self.alias}} for name in old]
        self._point([{"add": {"index": ours, "alias": self.alias}}, *actions])

    def drop(self, names: Iterable[str]) -> None:
        """Delete indices."""
        with only_our_errors(self.alias):
            self.client.indices.delete(index=",".join(names), request_timeout=_TIMEOUT)
        self._found = _found(self.client, self.alias)

    def _point(self, actions: list[dict[str, dict[str, str]]]) -> None:
        with only_our_errors(self.alias):
            self.client.indices.update_aliases(body={"actions": actions}, request_timeout=_TIMEOUT)
        self._found = _found(self.client, self.alias)


_NAME = re.compile(r"v[0-9]+\.[0-9]+-(?:[0-9]{4}\.[0-9]{2}|undated)")


def _found(client: Client, alias: str) -> dict[str, bool]:
    """Return every index of the team, and whether it is searched; `awf-vn` is no index of `awf`."""
    try:
        with only_our_errors(alias):
            found = client.indices.get_alias(index=f"{alias}-v*", request_timeout=_TIMEOUT)
    except MissingIndexError:
        return {}
    return {
        name: alias in entry["aliases"]
        for name, entry in found.items()
        if _NAME.fullmatch(name.removeprefix(f"{alias}-"))
    }
