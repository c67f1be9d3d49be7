"""Methods see all nodes and the labels of the training mask only (transductive)."""
import numpy as np


def softmax(scores):
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return scores / scores.sum(axis=1, keepdims=True)


class GCN:
    def __init__(self, hidden, lr, weight_decay, rng, **_rest):
        self.hidden, self.lr, self.weight_decay, self.rng = hidden, lr, weight_decay, rng

    def start(self, propagation, features, labels, mask):
        self.x, self.a = features, propagation
        self.mask = mask
        self.targets = np.eye(labels.max() + 1)[labels]
        self.w1 = self.rng.normal(scale=0.3, size=(features.shape[1], self.hidden))
        self.w2 = self.rng.normal(scale=0.3, size=(self.hidden, self.targets.shape[1]))

    def epoch(self):
        first = self.a @ self.x @ self.w1
        active = np.maximum(first, 0)
        error = (softmax(self.a @ active @ self.w2) - self.targets) * self.mask[:, None] / self.mask.sum()
        back = self.a.T @ error
        grad2 = active.T @ back
        grad1 = self.x.T @ self.a.T @ ((back @ self.w2.T) * (first > 0))
        self.w1 -= self.lr * (grad1 + self.weight_decay * self.w1)
        self.w2 -= self.lr * (grad2 + self.weight_decay * self.w2)

    def predict(self):
        active = np.maximum(self.a @ self.x @ self.w1, 0)
        return (self.a @ active @ self.w2).argmax(axis=1)


class SGC(GCN):
    """Linear after `hops` propagations."""

    def __init__(self, hops, **rest):
        super().__init__(**rest)
        self.hops = hops

    def start(self, propagation, features, labels, mask):
        super().start(propagation, features, labels, mask)
        self.x = np.linalg.matrix_power(propagation, self.hops) @ features
        self.w2 = np.zeros((features.shape[1], self.targets.shape[1]))

    def epoch(self):
        error = (softmax(self.x @ self.w2) - self.targets) * self.mask[:, None] / self.mask.sum()
        self.w2 -= self.lr * (self.x.T @ error + self.weight_decay * self.w2)

    def predict(self):
        return (self.x @ self.w2).argmax(axis=1)


class LabelPropagation(GCN):
    def start(self, propagation, features, labels, mask):
        super().start(propagation, features, labels, mask)
        self.beliefs = self.targets * mask[:, None]

    def epoch(self):
        self.beliefs = self.a @ self.beliefs
        self.beliefs[self.mask] = self.targets[self.mask]

    def predict(self):
        return self.beliefs.argmax(axis=1)


METHODS = {"gcn": GCN, "sgc": SGC, "labelprop": LabelPropagation}
