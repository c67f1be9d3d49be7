"""Settings of all experiments (appendix A)."""
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Values:
    steps: int = 400
    rate: float = 0.05
    momentum: float = 0.9
    sigma: float = 0.3
    dimension: int = 20
    seed: int = 0


def load(**given):
    return replace(Values(), **{name: value for name, value in given.items() if value is not None})
