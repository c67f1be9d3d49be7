import argparse
import json
import pathlib

import numpy as np

from graphs.block import block_graph, masks, normalised
from graphs.methods import METHODS

SETTINGS = json.loads(pathlib.Path(__file__).with_name("settings.json").read_text())["nodes"]


def main(method, seed, smoke):
    rng = np.random.default_rng(seed)
    count = 200 if smoke else SETTINGS["count"]
    adjacency, features, labels = block_graph(count, SETTINGS["classes"], rng)
    train, val, test = masks(labels, rng, validation=count // 6)
    model = METHODS[method](rng=rng, **{name: SETTINGS[name] for name in ("hidden", "lr", "weight_decay", "hops")})
    model.start(normalised(adjacency), features, labels, train)
    history, best = [], (0.0, 0.0)
    for epoch in range(3 if smoke else SETTINGS["epochs"]):
        model.epoch()
        right = model.predict() == labels
        # The training accuracy is reported beside the others (figure 6).
        row = {"epoch": epoch, "train_accuracy": right[train].mean(), "val_accuracy": right[val].mean()}
        best = max(best, (row["val_accuracy"], right[test].mean()))
        if epoch % 10 == 0:
            history.append(row)
    path = pathlib.Path(f"results/nodes_{method}.json")
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"history": history, "val_accuracy": best[0], "test_accuracy": best[1]}, default=float))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--method", choices=list(METHODS), required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--smoke", action="store_true")
    main(**vars(parser.parse_args()))
