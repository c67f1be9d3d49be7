from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Iterable, Union, overload

if TYPE_CHECKING:
    from core.graph import Graph

Number = Union[int, float]


def cached(method):
    @functools.wraps(method)
    def wrapper(self, *args, **kwargs):
        key = (method.__name__, args, tuple(sorted(kwargs.items())))
        if key not in self._cache:
            self._cache[key] = method(self, *args, **kwargs)
        return self._cache[key]

    return wrapper


class LoggingMixin:
    """Expects the class it is mixed into to have a `label`."""

    def describe(self, prefix: str = "") -> str:
        return f"{prefix}{self.label}: {type(self).__name__.lower()}"


class CountingMixin:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.calls = 0

    def __call__(self, *args, **kwargs):
        self.calls += 1
        return super().__call__(*args, **kwargs)


class Block:
    __slots__ = ("label", "_cache", "__dict__")

    def __init__(self, label: str, *, graph: Graph | None = None):
        self.label = label
        self._cache: dict[Any, Any] = {}
        if graph is not None:
            graph.add(self)

    def __call__(self, value: Number) -> Number:
        return self.apply(value)

    def apply(self, value):
        raise NotImplementedError(type(self).__name__)


class Scale(CountingMixin, LoggingMixin, Block):
    def __init__(self, label: str, factor: float = 1.0, **kwargs):
        super().__init__(label, **kwargs)
        self.factor = factor

    @cached
    def apply(self, value, power=1):
        return self.factor**power * value


class Shift(LoggingMixin, Block):
    offset = 0.0

    def apply(self, value):
        return value + self.offset


@overload
def run(blocks: Iterable[Block], value: int) -> int: ...
@overload
def run(blocks: Iterable[Block], value: float) -> float: ...
def run(blocks, value):
    for block in blocks:
        value = block(value)
    return value
