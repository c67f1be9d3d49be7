from __future__ import annotations

import typing

if typing.TYPE_CHECKING:
    from engine.trainer import Trainer


class Hook:
    """Does nothing at every event; subclasses override what they need."""

    def on_start(self, trainer: Trainer) -> None:
        pass

    def on_step(self, trainer: Trainer, loss: float) -> None:
        pass

    def on_end(self, trainer: Trainer) -> None:
        pass


class HookList(list):
    def __getattr__(self, event):
        if not event.startswith("on_"):
            raise AttributeError(event)

        def call(*args, **kwargs):
            for hook in self:
                getattr(hook, event)(*args, **kwargs)

        return call


class Curve(Hook):
    def __init__(self):
        self.losses = []

    def on_step(self, trainer, loss):
        self.losses.append(loss)


class Print(Hook):
    every = 10

    def on_step(self, trainer, loss, **_):
        if trainer.state["step"] % self.every == 0:
            print(f"{trainer.state['step']:>6} {loss:.4f}")
