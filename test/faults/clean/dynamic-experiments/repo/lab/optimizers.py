import numpy as np

_REGISTRY = {}


def optimizer(cls):
    _REGISTRY[cls.__name__.lower()] = cls
    return cls


def make_optimizer(name, values, rate=None):
    return _REGISTRY[name](values.rate if rate is None else rate, values.momentum)


class Optimizer:
    def __init__(self, rate, momentum):
        self.rate, self.momentum = rate, momentum
        self.reset()

    def reset(self):
        self.steps = 0
        self.first = 0.0
        self.second = 0.0


@optimizer
class SGD(Optimizer):
    def __call__(self, point, gradient):
        return point - self.rate * gradient


@optimizer
class HeavyBall(Optimizer):
    def __call__(self, point, gradient):
        self.first = self.momentum * self.first + gradient
        return point - self.rate * self.first


@optimizer
class Adam(Optimizer):
    beta2 = 0.999

    def __call__(self, point, gradient):
        self.steps += 1
        self.first = self.momentum * self.first + (1 - self.momentum) * gradient
        self.second = self.beta2 * self.second + (1 - self.beta2) * gradient**2
        first = self.first / (1 - self.momentum**self.steps)
        second = self.second / (1 - self.beta2**self.steps)
        return point - self.rate * first / (np.sqrt(second) + 1e-8)
