"""Adapters; the heavy parts are imported on first use."""
import importlib
from typing import TYPE_CHECKING

from .settings import *  # noqa: F403
from .settings import __all__ as _settings

_LAZY = {"LoraLinear": ".lora", "inject": ".lora"}

if TYPE_CHECKING:
    from .lora import LoraLinear, inject

__all__ = [*_settings, "LoraLinear", "inject"]


def __getattr__(name):
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
