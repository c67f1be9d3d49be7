from __future__ import annotations

import collections
import enum

from core import blocks as B


class Order(enum.Enum):
    FORWARD = "forward"
    BACKWARD = "backward"

    @property
    def sign(self):
        return 1 if self is Order.FORWARD else -1


class Graph:
    def __init__(self) -> None:
        self._blocks: collections.OrderedDict[str, B.Block] = collections.OrderedDict()

    def add(self, block: B.Block, /) -> None:
        self._blocks[block.label] = block

    def __iter__(self):
        yield from self._blocks.values()

    def __len__(self):
        return len(self._blocks)

    def __getitem__(self, label: str) -> B.Block:
        return self._blocks[label]

    def evaluate(self, value: float, order: Order = Order.FORWARD) -> float:
        return B.run(list(self)[:: order.sign], value)


def from_specification(*specifications: dict, **shared) -> Graph:
    graph = Graph()
    for index, specification in enumerate(specifications):
        options = {"label": f"block-{index}", **shared, **specification}
        cls = getattr(B, options.pop("type"))
        cls(graph=graph, **options)
    return graph
