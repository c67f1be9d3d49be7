"""Stochastic block models (section 5.1)."""
import numpy as np


def block_graph(count, classes, rng, inside=0.06, outside=0.005):
    labels = rng.integers(classes, size=count)
    chance = np.where(labels[:, None] == labels[None, :], inside, outside)
    upper = np.triu(rng.random((count, count)) < chance, k=1)
    adjacency = (upper | upper.T).astype(float)
    features = np.eye(classes)[labels] + rng.normal(scale=1.5, size=(count, classes))
    return adjacency, features, labels


def masks(labels, rng, per_class=10, validation=100):
    """Boolean masks of the three parts, which do not overlap."""
    order = rng.permutation(len(labels))
    train = np.zeros(len(labels), dtype=bool)
    for label in np.unique(labels):
        train[order[labels[order] == label][:per_class]] = True
    rest = order[~train[order]]
    val, test = np.zeros_like(train), np.zeros_like(train)
    val[rest[:validation]] = True
    test[rest[validation:]] = True
    return train, val, test


def normalised(adjacency):
    looped = adjacency + np.eye(len(adjacency))
    root = 1 / np.sqrt(looped.sum(axis=1))
    return root[:, None] * looped * root[None, :]
