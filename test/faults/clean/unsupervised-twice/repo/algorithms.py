"""Clustering algorithms; each is fitted to points and assigns points."""
import numpy as np

from common import squared_distances


class Lloyd:
    def __init__(self, clusters, iterations, seed, **_unused):
        self.clusters = clusters
        self.iterations = iterations
        self.random = np.random.default_rng(seed)

    def fit(self, data, watch=None):
        self.centres_ = data[self.random.choice(len(data), self.clusters, replace=False)]
        for iteration in range(self.iterations):
            weights = self.responsibilities(data)
            mass = weights.sum(axis=0)[:, None]
            self.centres_ = np.where(mass > 0, weights.T @ data / np.maximum(mass, 1e-9), self.centres_)
            if watch is not None:
                watch(iteration, self.inertia(data))
        return self

    def responsibilities(self, data):
        return np.eye(self.clusters)[self.predict(data)]

    def predict(self, data):
        return squared_distances(data, self.centres_).argmin(axis=1)

    def inertia(self, data):
        return float(squared_distances(data, self.centres_).min(axis=1).sum())

    def fit_predict(self, data, watch=None):
        return self.fit(data, watch).predict(data)


class Spherical(Lloyd):
    def predict(self, data):
        return (data @ self.centres_.T / (np.linalg.norm(self.centres_, axis=1) + 1e-9)).argmax(axis=1)


class Soft(Lloyd):
    """Responsibilities fall with the distance (equation 6)."""

    def __init__(self, stiffness, **rest):
        super().__init__(**rest)
        self.stiffness = stiffness

    def responsibilities(self, data):
        scores = -self.stiffness * squared_distances(data, self.centres_)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return scores / scores.sum(axis=1, keepdims=True)


ALGORITHMS = {"lloyd": Lloyd, "spherical": Spherical, "soft": Soft}
