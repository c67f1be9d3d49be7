import argparse
import json
import sys

import numpy as np

from .loop import best, descend
from .problems import PROBLEMS
from .settings import load_settings


def main() -> int:
    parser = argparse.ArgumentParser(prog="sweep")
    parser.add_argument("settings")
    parser.add_argument("--lrs", nargs="+", type=float, default=[0.01, 0.1])
    parser.add_argument("--dry-run", dest="dry", action="store_true")
    args = parser.parse_args()
    base = load_settings(args.settings)
    for lr in args.lrs:
        settings = base.with_lr(lr)
        if args.dry:
            print(settings)
            continue
        problem = PROBLEMS[settings.problem](settings.dimension, np.random.default_rng(0))
        record = best(descend(problem, settings.optimizer, settings.steps))
        json.dump({"lr": lr, "tags": settings.tags, **record._asdict()}, sys.stdout)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
