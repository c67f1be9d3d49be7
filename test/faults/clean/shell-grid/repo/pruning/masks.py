"""Masks over weights; a method maps (scores, sparsity, step) to a mask."""
import random


def ours(scores, sparsity, step, *, warmup=100):
    fraction = sparsity * min(1.0, step / warmup)
    return _smallest_off(scores, fraction)


def fixed(scores, sparsity, step):
    return _smallest_off(scores, sparsity)


def none(scores, sparsity=0.0, step=0):
    return [1.0] * len(scores)


def _smallest_off(scores, fraction):
    count = int(round(fraction * len(scores)))
    order = sorted(range(len(scores)), key=scores.__getitem__)
    off = set(order[:count])
    return [0.0 if index in off else 1.0 for index in range(len(scores))]


def noise(scores, amount=0.01):
    return [score + amount * random.gauss(0, 1) for score in scores]
