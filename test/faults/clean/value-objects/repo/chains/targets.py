"""Log densities with gradients."""
from __future__ import annotations

import enum
from functools import cached_property

import attrs
import numpy as np


@attrs.define(slots=False)
class Gauss:
    correlation: float = 0.95
    dimension: int = attrs.field(default=2, validator=attrs.validators.ge(2))
    mean: np.ndarray = attrs.field(init=False)

    def __attrs_post_init__(self):
        self.mean = np.zeros(self.dimension)

    @cached_property
    def precision(self):
        covariance = np.full((self.dimension, self.dimension), self.correlation)
        np.fill_diagonal(covariance, 1.0)
        return np.linalg.inv(covariance)

    def log_density(self, x):
        centred = x - self.mean
        return -0.5 * centred @ self.precision @ centred

    def gradient(self, x):
        return -self.precision @ (x - self.mean)


@attrs.frozen
class Banana:
    bend: float = 0.1
    scale: float = 10.0
    dimension: int = 2

    @property
    def shift(self):
        return self.bend * self.scale**2

    def log_density(self, x):
        return -0.5 * (x[0] ** 2 / self.scale**2 + (x[1] + self.bend * x[0] ** 2 - self.shift) ** 2)

    def gradient(self, x):
        rest = x[1] + self.bend * x[0] ** 2 - self.shift
        return np.array([-x[0] / self.scale**2 - 2 * self.bend * x[0] * rest, -rest])


@attrs.define
class Funnel:
    dimension: int = 5
    width: float = attrs.Factory(lambda: 3.0)

    def log_density(self, x):
        v, rest = x[0], x[1:]
        return -0.5 * (v**2 / self.width**2 + np.exp(-v) * (rest @ rest) + len(rest) * v)

    def gradient(self, x):
        v, rest = x[0], x[1:]
        first = -v / self.width**2 + 0.5 * np.exp(-v) * (rest @ rest) - 0.5 * len(rest)
        return np.concatenate([[first], -np.exp(-v) * rest])


class TargetName(enum.Enum):
    GAUSS = "gauss"
    BANANA = "banana"
    FUNNEL = "funnel"

    def build(self):
        return {"gauss": Gauss, "banana": Banana, "funnel": Funnel}[self.value]()

    def __str__(self):
        return self.name.lower()
