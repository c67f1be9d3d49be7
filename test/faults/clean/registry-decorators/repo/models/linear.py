import numpy as np

from models.base import Base, register


@register("linear", penalty=1e-3)
class Linear(Base):
    def __init__(self, penalty: float):
        self.penalty = penalty
        self.weights = None

    def fit(self, features, labels):
        targets = np.eye(labels.max() + 1)[labels]
        gram = features.T @ features + self.penalty * np.eye(features.shape[1])
        self.weights = np.linalg.solve(gram, features.T @ targets)
        return self

    def predict(self, features):
        return (features @ self.weights).argmax(axis=1)


@register("nearest-mean")
class NearestMean(Base):
    def fit(self, features, labels):
        self.means = np.stack([features[labels == k].mean(axis=0) for k in np.unique(labels)])
        return self

    def predict(self, features):
        distances = ((features[:, None] - self.means[None]) ** 2).sum(axis=-1)
        return distances.argmin(axis=1)
