from abc import ABC, abstractmethod

import numpy as np


class Problem(ABC):
    """A differentiable function of a vector."""

    def __init__(self, dimension: int, rng: np.random.Generator) -> None:
        self.dimension = dimension
        self.rng = rng

    @abstractmethod
    def value(self, point):
        """The objective at `point`."""

    @abstractmethod
    def gradient(self, point):
        raise NotImplementedError

    def start(self):
        return self.rng.normal(size=self.dimension)


class Quadratic(Problem):
    def __init__(self, dimension, rng, *, condition: float = 100.0):
        super().__init__(dimension, rng)
        self.scales = np.geomspace(1.0, condition, num=dimension)

    def value(self, point):
        return 0.5 * float(np.sum(self.scales * point**2))

    def gradient(self, point):
        return self.scales * point


class Logistic(Problem):
    def __init__(self, dimension, rng, samples=64):
        super().__init__(dimension, rng)
        self.features = rng.normal(size=(samples, dimension))
        self.labels = np.sign(self.features @ rng.normal(size=dimension))

    def value(self, point):
        return float(np.mean(np.log1p(np.exp(-self.labels * (self.features @ point)))))

    def gradient(self, point):
        margin = self.labels * (self.features @ point)
        weight = -self.labels / (1.0 + np.exp(margin))
        return self.features.T @ weight / len(self.labels)


PROBLEMS: dict[str, type[Problem]] = {cls.__name__.lower(): cls for cls in (Quadratic, Logistic)}
