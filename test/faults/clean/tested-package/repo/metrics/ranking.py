import numpy as np


def _sorted(scores, labels):
    order = np.argsort(-scores, kind="stable")
    return scores[order], labels[order]


def auc(scores, labels):
    _, labels = _sorted(scores, labels)
    positives = labels.sum()
    negatives = len(labels) - positives
    if not positives or not negatives:
        return float("nan")
    ranks = np.arange(len(labels), 0, -1)
    return float((ranks[labels == 1].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def average_precision(scores, labels, *, at=None):
    _, labels = _sorted(scores, labels)
    labels = labels[:at]
    hits = np.cumsum(labels)
    return float((hits / np.arange(1, len(labels) + 1) * labels).sum() / max(1, labels.sum()))
