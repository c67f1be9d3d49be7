import argparse
import json
import pathlib

import numpy as np
from sklearn.model_selection import StratifiedKFold

from graphs.block import block_graph
from graphs.kernels import FEATURES, gram

SETTINGS = json.loads(pathlib.Path(__file__).with_name("settings.json").read_text())["graphs"]


def draw(rng, count):
    labels = np.arange(count) % 2
    graphs = [block_graph(30, 2, rng, inside=0.3, outside=0.05 if label else 0.2)[0] for label in labels]
    return graphs, labels


def fit(kernel, labels, ridge):
    return np.linalg.solve(kernel + ridge * np.eye(len(kernel)), 2.0 * labels - 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kernel", choices=list(FEATURES), required=True)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    graphs, labels = draw(np.random.default_rng(args.seed), SETTINGS["count"])
    kernel = gram([FEATURES[args.kernel](graph, SETTINGS["bins"]) for graph in graphs])
    folds = StratifiedKFold(SETTINGS["folds"], shuffle=True, random_state=args.seed)
    scores = []
    for train, test in folds.split(kernel, labels):
        weights = fit(kernel[np.ix_(train, train)], labels[train], SETTINGS["ridge"])
        guesses = kernel[np.ix_(test, train)] @ weights > 0
        scores.append(float((guesses == labels[test]).mean()))
    target = pathlib.Path("results") / f"graphs_{args.kernel}.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps({"fold_accuracy": scores, "mean_accuracy": float(np.mean(scores))}))


if __name__ == "__main__":
    main()
