"""How well a linear model reads the labels from codes (section 5.3)."""
import argparse

import numpy as np
from sklearn.linear_model import LogisticRegression

from codes import CODES
from common import append, halves, settings


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--codes", choices=sorted(CODES), required=True)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    args = parser.parse_args()
    for seed in args.seeds:
        train_images, test_images, train_labels, test_labels = halves(seed)
        coder = CODES[args.codes](seed=seed, **settings("codes")).fit(train_images)
        probe = LogisticRegression(C=1 / settings("probe")["penalty"], max_iter=2000)
        probe.fit(coder.transform(train_images), train_labels)
        rebuilt = coder.inverse_transform(coder.transform(test_images))
        append(
            "out/probe.csv",
            {
                "codes": args.codes,
                "seed": seed,
                "train_accuracy": probe.score(coder.transform(train_images), train_labels),
                "test_accuracy": probe.score(coder.transform(test_images), test_labels),
                "reconstruction_error": float(np.mean((rebuilt - test_images) ** 2)),
            },
        )


if __name__ == "__main__":
    main()
