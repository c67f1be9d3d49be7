import dataclasses

__all__ = ["DEFAULT_TARGETS", "AdapterSettings"]

DEFAULT_TARGETS = ("query", "value")


@dataclasses.dataclass
class AdapterSettings:
    rank: int = 8
    alpha: float = 16.0
    dropout: float = 0.0
    targets: tuple = DEFAULT_TARGETS

    def __post_init__(self):
        if self.rank < 1:
            raise ValueError(f"rank {self.rank} is less than 1")

    @property
    def scale(self):
        return self.alpha / self.rank
