"""The tree of a ChatGPT conversation as lines of messages: the one gone on with, and those that were left."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from awf_archive.domain.transcript import Json
from awf_archive.readers.shared.values import JsonObject, list_at, object_at, text_at, value_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One message in its place."""

    id: str
    parent: str
    message: JsonObject


@dataclass(slots=True)
class Line:
    """Messages that follow one another, from where they leave another line."""

    nodes: list[Node]
    is_main: bool
    leaves: str = ""
    """The node after which this line begins; "" at the beginning of all."""
    left_by: "dict[str, list[Line]]" = field(default_factory=dict)
    """Lines that begin after one of ours, by that node."""


def read_tree(conversation: JsonObject) -> tuple[dict[str, Node], int]:
    """Return the nodes by id, in the file's order, and how many are none."""
    nodes: dict[str, Node] = {}
    bad = 0
    for name, value in object_at(conversation, "mapping").items():
        if isinstance(value, dict):
            message = value.get("message")
            nodes[name] = Node(
                id=name, parent=text_at(value, "parent"), message=message if isinstance(message, dict) else {}
            )
            bad += message is not None and not isinstance(message, dict)
        else:
            bad += 1
    return _with_parents(nodes, conversation), bad


def _with_parents(nodes: dict[str, Node], conversation: JsonObject) -> dict[str, Node]:
    """Fill in parents that only the other node's `children` name; slim exports without either stay in order."""
    if any(node.parent for node in nodes.values()):
        return nodes
    named = {
        child: parent
        for parent in nodes
        for child in list_at(object_at(conversation, "mapping", parent), "children")
        if isinstance(child, str) and child != parent
    }
    if not named:
        before = ["", *nodes]
        named = dict(zip(nodes, before, strict=False))
    return {
        name: Node(id=name, parent=named.get(name, ""), message=node.message) for name, node in nodes.items()
    }


def main_line(conversation: JsonObject, nodes: dict[str, Node]) -> list[Node]:
    """Walk from the current node to the root; without one, from the newest leaf."""
    current = text_at(conversation, "current_node")
    if current not in nodes:
        current = _newest_leaf(nodes)
    return _walk(current, nodes, set())


def lines_of(conversation: JsonObject, nodes: dict[str, Node]) -> list[Line]:
    """Return the main line first, then every other, in the file's order; each node stands in one."""
    main = main_line(conversation, nodes)
    lines = [Line(nodes=main, is_main=True)]
    taken = {node.id for node in main}
    for leaf in [*_leaves(nodes), *nodes]:
        if leaf in taken:
            continue
        chain = _walk(leaf, nodes, taken)
        taken.update(node.id for node in chain)
        lines.append(Line(nodes=chain, is_main=False, leaves=chain[0].parent))
    return lines


def _walk(name: str, nodes: dict[str, Node], taken: set[str]) -> list[Node]:
    """Return the nodes from the root, or from the first that is not taken, to `name`; a cycle ends it."""
    chain: dict[str, Node] = {}
    while name in nodes and name not in chain and name not in taken:
        chain[name] = nodes[name]
        name = nodes[name].parent
    return list(reversed(chain.values()))


def _leaves(nodes: dict[str, Node]) -> Iterator[str]:
    parents = {node.parent for node in nodes.values()}
    return (name for name in nodes if name not in parents)


def _newest_leaf(nodes: dict[str, Node]) -> str:
    leaves = list(_leaves(nodes)) or list(nodes)
    return max(leaves, key=lambda name: (_time(nodes[name]), leaves.index(name)), default="")


def _time(node: Node) -> float:
    value: Json = value_at(node.message, "create_time")
    return float(value) if isinstance(value, (int, float)) and value == value else 0.0  # noqa: PLR0124
