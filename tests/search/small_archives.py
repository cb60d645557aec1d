"""Small archives to index, and what a search sees of them."""

from awf_archive.search.documents import Document, Key, Kind, Request, Result
from awf_archive.search.whoosh_index import WhooshIndex

Archive = dict[Key, list[Document]]

FIRST = Key("demo", "session-001")
SECOND = Key("demo", "session-002")


def digests(archive: Archive) -> dict[Key, str]:
    return {key: str(hash(tuple(documents))) for key, documents in archive.items()}


def sync(index: WhooshIndex, archive: Archive):
    return index.sync(digests(archive), archive.__getitem__)


def search(index: WhooshIndex, topic: str, **options) -> Result:
    return index.search(Request(topic=topic, **options))


def turns(result: Result) -> list[int]:
    return [hit.turn for hit in result.hits]


def said(turn: int, user: str, text: str = "", **more) -> Document:
    given = {"kind": Kind.TURN, "feature": "demo", "session": "session-001"} | more
    return Document(turn=turn, user=user, text=text, **given)
