"""Transitions of the three samplers (section 2)."""
from __future__ import annotations

import dataclasses
from collections import namedtuple
from dataclasses import InitVar, dataclass, field
from typing import NamedTuple

import numpy as np

State = namedtuple("State", ["position", "log_density", "gradient"])


class Moved(State):
    """A state after a transition, which knows whether it is a new one."""

    __slots__ = ()

    def differs(self, other):
        return not np.array_equal(self.position, other.position)


class Step(NamedTuple):
    state: Moved
    log_ratio: float

    @property
    def probability(self) -> float:
        return float(np.exp(min(0.0, self.log_ratio)))


@dataclass(slots=True)
class RandomWalk:
    target: object
    step_size: float
    seed: InitVar[int] = 0
    rng: np.random.Generator = field(init=False, repr=False)
    proposed: int = field(default=0, init=False)
    accepted: int = field(default=0, init=False)

    def __post_init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def state_at(self, position):
        return Moved(position, self.target.log_density(position), self.target.gradient(position))

    def propose(self, state) -> Step:
        noise = self.rng.normal(size=len(state.position))
        new = self.state_at(state.position + self.step_size * noise)
        return Step(new, new.log_density - state.log_density)

    def move(self, state):
        step = self.propose(state)
        self.proposed += 1
        if self.rng.random() < step.probability:
            self.accepted += step.state.differs(state)
            return step.state
        return state

    @property
    def acceptance_rate(self):
        return self.accepted / max(1, self.proposed)


@dataclass(slots=True)
class Mala(RandomWalk):
    def _forward(self, state):
        return state.position + 0.5 * self.step_size**2 * state.gradient

    def propose(self, state):
        noise = self.rng.normal(size=len(state.position))
        new = self.state_at(self._forward(state) + self.step_size * noise)
        there = -0.5 * np.sum((new.position - self._forward(state)) ** 2) / self.step_size**2
        back = -0.5 * np.sum((state.position - self._forward(new)) ** 2) / self.step_size**2
        return Step(new, new.log_density - state.log_density + back - there)


@dataclass(slots=True)
class Hmc(RandomWalk):
    leapfrog_steps: int = dataclasses.field(default=20, kw_only=True)

    def propose(self, state):
        momentum = self.rng.normal(size=len(state.position))
        start = state.log_density - 0.5 * momentum @ momentum
        new = state
        for _ in range(self.leapfrog_steps):
            half = momentum + 0.5 * self.step_size * new.gradient
            new = self.state_at(new.position + self.step_size * half)
            momentum = half + 0.5 * self.step_size * new.gradient
        return Step(new, new.log_density - 0.5 * momentum @ momentum - start)
