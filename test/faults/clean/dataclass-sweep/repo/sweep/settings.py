from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Mapping


@dataclass(frozen=True)
class OptimizerSettings:
    name: str = "sgd"
    lr: float = 0.1
    momentum: float = 0.9


@dataclass(frozen=True)
class Settings:
    problem: str
    dimension: int
    steps: int = 100
    optimizer: OptimizerSettings = field(default_factory=OptimizerSettings)
    tags: list[str] = field(default_factory=list)

    def with_lr(self, lr: float) -> "Settings":
        return dataclasses.replace(self, optimizer=dataclasses.replace(self.optimizer, lr=lr))

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Settings:
        values = dict(values)
        optimizer = OptimizerSettings(**values.pop("optimizer", {}))
        return cls(optimizer=optimizer, **values)


def load_settings(path: str | Path) -> Settings:
    return Settings.from_mapping(json.loads(Path(path).read_text(encoding="utf-8")))
