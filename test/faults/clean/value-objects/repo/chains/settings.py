"""Settings of one chain, checked when they are read."""
from enum import Enum

from pydantic import BaseModel, Field, model_validator


class SamplerName(str, Enum):
    RWM = "rwm"
    MALA = "mala"
    HMC = "hmc"

    @property
    def needs_gradient(self) -> bool:
        return self is not SamplerName.RWM

    def __str__(self):
        return self.value


class Settings(BaseModel):
    sampler: SamplerName
    step_size: float = Field(gt=0)
    leapfrog_steps: int = Field(default=1, ge=1)
    samples: int
    burn_in: int = 0

    @model_validator(mode="after")
    def _enough(self):
        if self.burn_in >= self.samples:
            raise ValueError(f"burn_in {self.burn_in} leaves nothing of {self.samples}")
        return self

    def shortened(self, samples: int) -> "Settings":
        return self.model_copy(update={"samples": samples, "burn_in": samples // 10})

    @property
    def kept(self) -> int:
        return self.samples - self.burn_in

    def describe(self) -> str:
        return ", ".join(f"{name}={getattr(self, name)}" for name in self.model_fields)
