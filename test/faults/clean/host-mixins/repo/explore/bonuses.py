"""Bonuses as mixins; the learner that they are mixed into has `scale`, `table` and `world`."""
import math

import numpy as np


class NoBonus:
    def bonus(self, state, following, info):
        return 0.0


class CountBonus:
    """Scale over the root of the visits (equation 2)."""

    def bonus(self, state, following, info):
        return self.scale / math.sqrt(info["visits"])


class PredictionBonus:
    """Error of a learned table of transitions (equation 4)."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        states, _ = self.world.shape
        self.expected = np.full((states, states), 1.0 / states)

    def bonus(self, state, following, info):
        error = 1.0 - self.expected[state, following]
        self.expected[state] *= 1 - self.rate
        self.expected[state, following] += self.rate
        return self.scale * error
