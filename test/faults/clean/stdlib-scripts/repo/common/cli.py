"""Flags that every runner has."""
import argparse
import json
import os
import random
import time


def runner(description):
    parser = argparse.ArgumentParser(description=description)
    add_common(parser)
    return parser


def add_common(parser):
    group = parser.add_argument_group("common")
    group.add_argument("--seed", type=int, default=0)
    group.add_argument("--out-dir", default="out")
    group.add_argument("--smoke", action="store_true")


def prepare(args):
    random.seed(args.seed)
    os.makedirs(args.out_dir, exist_ok=True)


class Metrics:
    """Appends one JSON object a line."""

    def __init__(self, args, experiment):
        self.path = os.path.join(args.out_dir, f"{experiment}.jsonl")
        self.started = time.perf_counter()

    def write(self, **values):
        values["seconds"] = time.perf_counter() - self.started
        with open(self.path, "a", encoding="utf-8") as handle:
            print(json.dumps(values), file=handle)
