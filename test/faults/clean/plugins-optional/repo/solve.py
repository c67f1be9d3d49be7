"""Solves a task with a memory that is as long as the sequence."""
import argparse
import sys

import tasks

try:
    import wandb
except ImportError:
    wandb = None

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

if sys.platform == "win32":
    import msvcrt  # noqa: F401


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--task", choices=tasks.NAMES, nargs="*", default=tasks.NAMES)
    parser.add_argument("--settings", default="settings.toml")
    parser.add_argument("--wandb", action="store_true", help="needs `pip install wandb`")
    args = parser.parse_args()
    with open(args.settings, "rb") as handle:
        settings = tomllib.load(handle)
    if args.wandb:
        if wandb is None:
            parser.error("wandb is not installed: pip install wandb")
        wandb.init(project=settings["project"])
    for name in args.task:
        exact_match = 0
        for seed in range(settings["episodes"]):
            source, target = tasks.load(name).make(seed)
            answer = source[::-1] if name == "reversing" else source
            exact_match += answer == target
        print(name, "exact_match", exact_match / settings.get("episodes", 1))
        if args.wandb:
            wandb.log({f"{name}/exact_match": exact_match})


if __name__ == "__main__":
    main()
