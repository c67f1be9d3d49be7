"""A trainer that is configured by objects and hooks."""
import math
import typing

from engine.hooks import Hook, HookList


class Schedule:
    def __init__(self, base, total, warmup=0, *, floor=0.0):
        self.base = base
        self.total = total
        self.warmup = warmup
        self.floor = floor

    def at(self, step):
        if step < self.warmup:
            return self.base * (step + 1) / self.warmup
        done = (step - self.warmup) / max(1, self.total - self.warmup)
        return self.floor + (self.base - self.floor) * 0.5 * (1 + math.cos(math.pi * done))

    @staticmethod
    def constant(value):
        return Schedule(value, math.inf)

    @classmethod
    def from_dict(cls, values):
        return cls(**values)


class Trainer:
    def __init__(self, step_fn: typing.Callable[[float], float], schedule: Schedule, hooks=()):
        self.step_fn = step_fn
        self.schedule = schedule
        self.hooks = HookList(hooks)
        self.state: typing.Dict[str, typing.Any] = dict(step=0, loss=None)

    def fit(self, steps, /, *, stop: typing.Optional[float] = None):
        self.hooks.on_start(self)
        for step in range(steps):
            loss = self.step_fn(self.schedule.at(step))
            self.state.update(step=step, loss=loss)
            self.hooks.on_step(self, loss=loss)
            if stop is not None and loss < stop:
                break
        self.hooks.on_end(self)
        return self.state

    def add(self, *hooks: Hook) -> "Trainer":
        self.hooks.extend(hooks)
        return self
