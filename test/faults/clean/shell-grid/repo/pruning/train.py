import argparse
import random
import statistics

from . import masks


def train(method, seed, steps, sparsity=0.5):
    random.seed(seed)
    rule = getattr(masks, method)
    target = [random.gauss(0, 1) for _ in range(20)]
    weights = [0.0] * 20
    for step in range(steps):
        mask = rule(masks.noise([abs(w) for w in weights]), sparsity, step)
        weights = [w + 0.1 * m * (t - w) for w, m, t in zip(weights, mask, target)]
    return statistics.fmean((w - t) ** 2 for w, t in zip(weights, target))


def main(argv=None):
    parser = argparse.ArgumentParser()
    add = parser.add_argument
    add("--method", choices=["ours", "fixed", "none"], required=True)
    add("--seed", type=int, default=0)
    add("--steps", type=int, default=2000)
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--sparsity", type=float, default=0.5)
    group.add_argument("--dense", action="store_const", const=0.0, dest="sparsity")
    args, unknown = parser.parse_known_args(argv)
    if unknown:
        parser.error(f"unknown: {' '.join(unknown)}")
    print(f"final_error={train(**vars(args)):.6f}")


if __name__ == "__main__":
    main()
