from models.base import MODELS, build, register
from models import linear, mlp  # noqa: F401  (registers)

__all__ = ["MODELS", "build", "register"]
