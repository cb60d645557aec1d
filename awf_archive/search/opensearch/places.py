"""The indices of a team: one a month, made when a turn of that month is sent, behind one alias that is searched."""

from awf_archive.search.opensearch.client import Client, MissingIndexError, only_our_errors, unless_there
from awf_archive.search.opensearch.schema import MAPPING_VERSION, generation, index_body, place_of


class Places:
    """What indices there are; asks once. Raises ClusterError."""

    def __init__(self, client: Client, index: str, shards: int, version: int = MAPPING_VERSION) -> None:
        self._client = client
        self._index = index
        self._shards = shards
        self._version = version
        self._found = _found(client, index)

    @property
    def live(self) -> frozenset[str]:
        """The indices that are searched."""
        return frozenset(name for name, is_live in self._found.items() if is_live)

    @property
    def is_live(self) -> bool:
        """Whether indices made as we make them are those that are searched."""
        return all(f"-{generation(self._version)}-" in name for name in self.live)

    def exists(self, place: str) -> bool:
        """Whether there is such an index."""
        return place in self._found

    def ready(self, time: str) -> str:
        """Return the index for a turn of this time, made if need be."""
        place = place_of(self._index, time, self._version)
        if place not in self._found:
            self._make(place)
        return place

    def _make(self, place: str) -> None:
        body = index_body(self._index, self._shards, is_live=self.is_live)
        with only_our_errors(place), unless_there():
            self._client.indices.create(index=place, body=body, params={"wait_for_active_shards": "1"})
        self._found[place] = self.is_live


def _found(client: Client, index: str) -> dict[str, bool]:
    """Return every index of ours, and whether it is searched."""
    try:
        with only_our_errors(index):
            found = client.indices.get_alias(index=f"{index}-v*")
    except MissingIndexError:
        return {}
    return {name: index in entry["aliases"] for name, entry in found.items()}
