import csv
import pathlib

import numpy as np
import yaml
from sklearn.datasets import load_digits, make_blobs
from sklearn.model_selection import train_test_split


def settings(section):
    return yaml.safe_load(pathlib.Path("settings.yaml").read_text())[section]


def points(name, seed):
    if name == "blobs":
        return make_blobs(n_samples=600, centers=10, n_features=8, random_state=seed)
    images, labels = load_digits(return_X_y=True)
    return images / 16.0, labels


def halves(seed):
    images, labels = points("digits", seed)
    return train_test_split(images, labels, test_size=0.5, random_state=seed, stratify=labels)


def append(path, row):
    path = pathlib.Path(path)
    path.parent.mkdir(exist_ok=True)
    is_new = not path.exists()
    with path.open("a", newline="") as handle:
        writer = csv.DictWriter(handle, list(row))
        if is_new:
            writer.writeheader()
        writer.writerow(row)


def squared_distances(a, b):
    return np.maximum((a**2).sum(1)[:, None] - 2 * a @ b.T + (b**2).sum(1)[None, :], 0)
