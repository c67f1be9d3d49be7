import math
import sys

import numpy as np

import config as configuration


class Network:
    def __init__(self, rng, inputs, depth, width, activation):
        sizes = [inputs] + [width] * depth + [1]
        self.weights = [rng.normal(size=pair) / math.sqrt(pair[0]) for pair in zip(sizes, sizes[1:])]
        self.activation = getattr(np, activation)

    def __call__(self, x):
        for weight in self.weights[:-1]:
            x = self.activation(x @ weight)
        return x @ self.weights[-1]


def learning_rate(settings, step):
    if settings.schedule == "cosine":
        return settings.lr * 0.5 * (1 + math.cos(math.pi * step / settings.steps))
    return settings.lr


def evolve(student, teacher, cfg, rng):
    """(1+1) evolution: keeps a perturbed student when it is closer to the teacher."""
    x = rng.normal(size=(cfg.data.samples, 3))
    y = teacher(x) + cfg.data.noise * rng.normal(size=(cfg.data.samples, 1))
    best = np.inf
    for step in range(cfg.train.steps):
        kept = [w.copy() for w in student.weights]
        rate = learning_rate(cfg.train, step)
        student.weights = [w + rate * rng.normal(size=w.shape) for w in kept]
        if (loss := float(np.mean((student(x) - y) ** 2))) < best:
            best = loss
        else:
            student.weights = kept
    return best


def main(experiment, *overrides):
    cfg = configuration.load(experiment, overrides)
    rng = np.random.default_rng(cfg.seed)
    teacher = Network(rng, 3, **cfg.teacher)
    student = Network(rng, 3, **cfg["model"])
    print(experiment, evolve(student, teacher, cfg, rng))


if __name__ == "__main__":
    main(*sys.argv[1:])
