"""Runs one cell: python run_ridge.py --solver closed --noise low."""
import argparse
import csv
from pathlib import Path

import numpy as np
import yaml

from data import make_split
from ridge import SOLVERS


def parse_arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, default=Path("configs/default.yaml"))
    parser.add_argument("--solver", choices=sorted(SOLVERS), default="closed")
    parser.add_argument("--noise", default="low")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--smoke", action="store_true", help="ten samples, two steps")
    parser.add_argument("-o", "--out", type=Path, default=Path("results"))
    return parser.parse_args(argv)


def main(argv=None):
    arguments = parse_arguments(argv)
    config = yaml.safe_load(arguments.config.read_text())
    samples = 10 if arguments.smoke else config["data"]["samples"]
    train, test = make_split(
        samples,
        config["data"]["dimension"],
        config["data"]["noise_levels"][arguments.noise],
        seed=arguments.seed,
    )
    options = {}
    if arguments.solver == "descent":
        options["steps"] = 2 if arguments.smoke else config["descent"]["steps"]
        options["rate"] = config["descent"]["rate"]
    weights = SOLVERS[arguments.solver](*train, config["penalty"], **options)
    test_error = float(np.mean((test[0] @ weights - test[1]) ** 2))
    arguments.out.mkdir(parents=True, exist_ok=True)
    with open(arguments.out / "ridge.csv", "a", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow([arguments.solver, arguments.noise, arguments.seed, "test_error", test_error])


if __name__ == "__main__":
    main()
