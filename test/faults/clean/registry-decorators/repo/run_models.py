"""Compares the registered models on scikit-learn's digits."""
import argparse
import json
import pathlib

from sklearn.datasets import load_digits, load_wine
from sklearn.model_selection import train_test_split

from models import MODELS, build

LOADERS = dict(digits=load_digits, wine=load_wine)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", choices=MODELS.keys(), required=True)
    parser.add_argument("--dataset", choices=tuple(LOADERS), default="digits")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--output", default="results/models.json")
    args = parser.parse_args()
    features, labels = LOADERS[args.dataset](return_X_y=True)
    rows = []
    for seed in range(args.seeds):
        train_x, test_x, train_y, test_y = train_test_split(features, labels, random_state=seed)
        extra = {"random_state": seed} if args.model.startswith("mlp") else {}
        model = build(args.model, **extra).fit(train_x, train_y)
        rows.append({"seed": seed, "accuracy": model.score(test_x, test_y)})
    path = pathlib.Path(args.output)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
