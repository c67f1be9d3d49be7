"""The types of the settings that OmegaConf checks when it merges."""
from dataclasses import dataclass, field
from typing import Any, List

from omegaconf import MISSING


@dataclass
class Distillation:
    alpha: float = MISSING
    start: float = MISSING
    end: float = MISSING


@dataclass
class Trainer:
    epochs: int = MISSING
    clip: float = 1.0


@dataclass
class Network:
    widths: List[int] = field(default_factory=list)
    dropout: float = 0.0


@dataclass
class Settings:
    schedule: str = MISSING
    seed: int = 0
    output: str = MISSING
    data: Any = None
    loader: Any = None
    optimizer: Any = None
    teacher: Network = field(default_factory=Network)
    student: Network = field(default_factory=Network)
    distillation: Distillation = field(default_factory=Distillation)
    trainer: Trainer = field(default_factory=Trainer)
