import time

import numpy as np


class Run:
    def __init__(self, defence, options, **extra):
        self.defence = defence
        self.__dict__.update(vars(options))
        self.__dict__.update(extra)
        self.rng = np.random.default_rng(self.seed)
        self.weights = None

    def probabilities(self, features):
        return 1 / (1 + np.exp(-features @ self.weights))

    def epoch(self, data):
        features, labels = data
        if self.weights is None:
            self.weights = 0.01 * self.rng.normal(size=features.shape[1])
        targets, weights = self.defence(self.probabilities(features), labels)
        error = weights * (self.probabilities(features) - targets)
        self.weights = self.weights - self.lr * features.T @ error / max(1.0, weights.sum())
        return float(weights.mean())

    def accuracy(self, data):
        features, labels = data
        return float(((self.probabilities(features) > 0.5) == labels).mean())


class Timed:
    """Stands for a run and adds up the seconds of its epochs; all else is the run's."""

    def __init__(self, inner):
        self._inner = inner
        self.seconds = 0.0

    def __getattr__(self, name):
        return getattr(self._inner, name)

    def epoch(self, data):
        started = time.perf_counter()
        try:
            return self._inner.epoch(data)
        finally:
            self.seconds += time.perf_counter() - started

    def __repr__(self):
        return f"Timed({self.defence!r}, lr={self.lr})"
