"""Each defence turns (probabilities, labels) into (targets, weights)."""
import numpy as np


class Plain:
    wants = ()

    def __init__(self, options):
        for name in self.wants:
            setattr(self, name, getattr(options, name))

    def __call__(self, probabilities, labels):
        return labels, np.ones_like(labels)


class Trimmed(Plain):
    """Leaves out the largest losses (equation 1)."""

    wants = ("keep",)

    def __call__(self, probabilities, labels):
        loss = -np.log(np.where(labels == 1, probabilities, 1 - probabilities) + 1e-12)
        return labels, (loss <= np.quantile(loss, self.keep)).astype(float)


class Bootstrapped(Plain):
    """Mixes the labels with what the model believes (equation 2)."""

    wants = ("beta",)

    def __call__(self, probabilities, labels):
        return self.beta * labels + (1 - self.beta) * probabilities, np.ones_like(labels)


DEFENCES = {"plain": Plain, "trimmed": Trimmed, "bootstrapped": Bootstrapped}
