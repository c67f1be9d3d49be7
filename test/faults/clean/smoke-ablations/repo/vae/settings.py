import dataclasses
import typing
from pathlib import Path

import yaml


@dataclasses.dataclass
class VAESettings:
    latent: int
    hidden: int
    kl_weight: float
    free_bits: float
    warmup_epochs: int
    epochs: int
    learning_rate: float
    batch_size: int
    samples: int
    smoke: bool = False

    def __post_init__(self):
        if self.smoke:
            # A look at whether it runs; never what is reported.
            self.epochs = 2
            self.warmup_epochs = min(self.warmup_epochs, 1)
            self.samples = 4 * self.batch_size

    def weight_at(self, epoch: int) -> float:
        if epoch >= self.warmup_epochs:
            return self.kl_weight
        return self.kl_weight * epoch / self.warmup_epochs

    @classmethod
    def read(cls, path: typing.Union[str, Path], **changes: typing.Any) -> "VAESettings":
        return cls(**{**yaml.safe_load(Path(path).read_text()), **changes})
