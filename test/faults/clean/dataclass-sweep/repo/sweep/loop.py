from typing import Callable, Iterator, NamedTuple, Optional

from .problems import Problem
from .settings import OptimizerSettings


class Record(NamedTuple):
    step: int
    loss: float


def descend(problem: Problem, optimizer: OptimizerSettings, steps: int) -> Iterator[Record]:
    """Yields the loss before every step of heavy-ball descent."""
    point = problem.start()
    velocity = 0 * point
    for step in range(steps):
        yield Record(step, problem.value(point))
        velocity = optimizer.momentum * velocity - optimizer.lr * problem.gradient(point)
        point = point + velocity


def best(records: Iterator[Record], key: Optional[Callable[[Record], float]] = None) -> Record:
    return min(records, key=key or (lambda record: record.loss))
