import numpy as np


def degree_histogram(adjacency, bins):
    return np.histogram(adjacency.sum(axis=1), bins=bins, range=(0, 24))[0]


def path_histogram(adjacency, bins):
    reached, seen, counts = np.eye(len(adjacency)), np.eye(len(adjacency)), []
    for _ in range(bins):
        reached = ((reached @ adjacency) > 0) & (seen == 0)
        seen = seen + reached
        counts.append(reached.sum())
    return np.array(counts)


FEATURES = {"degree": degree_histogram, "shortest-path": path_histogram}


def gram(histograms):
    rows = np.stack(histograms).astype(float)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9
    return rows @ rows.T
