import argparse
import importlib
import json
import pathlib
from importlib.metadata import entry_points

from lab import settings
from lab.optimizers import make_optimizer

BUILT_IN = ("convergence", "sensitivity")


def find(name):
    """A module of `lab.experiments`, or what an installed package offers."""
    if name in BUILT_IN:
        return getattr(importlib.import_module(f"lab.experiments.{name}"), f"run_{name}")
    for point in entry_points(group="lab.experiments"):
        if point.name == name:
            return point.load()
    raise SystemExit(f"there is no experiment {name}; try `lab list`")


def names():
    return sorted({*BUILT_IN, *(point.name for point in entry_points(group="lab.experiments"))})


def command_list(args):
    print(*names(), sep="\n")


def command_run(args):
    chosen = names() if args.experiment == "all" else [args.experiment]
    folder = pathlib.Path("artifacts")
    folder.mkdir(exist_ok=True)
    for name in chosen:
        values = settings.load(steps=args.steps)
        result = find(name)(lambda **options: make_optimizer(args.optimizer, values, **options), values)
        (folder / f"{name}.json").write_text(json.dumps({"optimizer": args.optimizer, **result}))


def main():
    parser = argparse.ArgumentParser(prog="lab")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list")
    run = commands.add_parser("run")
    run.add_argument("experiment")
    run.add_argument("--optimizer", choices=["sgd", "heavyball", "adam"], default="sgd")
    run.add_argument("--steps", type=int)
    args = parser.parse_args()
    globals()[f"command_{args.command}"](args)


if __name__ == "__main__":
    main()
