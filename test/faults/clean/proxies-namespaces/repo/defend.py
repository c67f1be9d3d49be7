"""Trains a linear classifier on noisy labels with one defence, and measures it on clean ones."""
import argparse
import ast

from noisy.data import clean_and_noisy
from noisy.defences import DEFENCES
from noisy.options import Options
from noisy.training import Run, Timed
from noisy.writing import Table


def pair(text):
    name, _, value = text.partition("=")
    return name, ast.literal_eval(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--defence", choices=sorted(DEFENCES), required=True)
    parser.add_argument("--noise", type=float, required=True)
    parser.add_argument("--set", nargs="*", type=pair, default=[], metavar="NAME=VALUE")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    options = Options(**dict(args.set))
    print(args.defence, options.changed() or "defaults")
    train, test = clean_and_noisy(args.noise, args.seed)
    run = Timed(Run(DEFENCES[args.defence](options), options, seed=args.seed))
    table = Table("out/defences.csv", noise=args.noise, defence=args.defence)
    for epoch in range(run.epochs):
        kept_fraction = run.epoch(train)
        table.append(epoch=epoch, kept_fraction=kept_fraction, clean_accuracy=None)
    table.append(epoch=run.epochs, kept_fraction=None, clean_accuracy=run.accuracy(test))
    table.close()
    print(f"{run.seconds:.2f} s")


if __name__ == "__main__":
    main()
