import numpy as np


class Bowl:
    """A quadratic whose gradients may be noisy."""

    def __init__(self, values, sigma=0.0):
        self.rng = np.random.default_rng(values.seed)
        self.scales = np.geomspace(0.1, 10, values.dimension)
        self.start = self.rng.normal(size=values.dimension)
        self.sigma = sigma

    def loss(self, point):
        return 0.5 * float((self.scales * point**2).sum())

    def gradient(self, point):
        return self.scales * point + self.sigma * self.rng.normal(size=point.shape)


def descend(problem, step, steps):
    point = problem.start
    for _ in range(steps):
        yield point
        point = step(point, problem.gradient(point))
    yield point
