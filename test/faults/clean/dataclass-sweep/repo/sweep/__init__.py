"""Learning-rate sweeps over small convex problems."""

from .problems import Logistic, Problem, Quadratic
from .settings import OptimizerSettings, Settings, load_settings

__all__ = ["Logistic", "OptimizerSettings", "Problem", "Quadratic", "Settings", "load_settings"]
__version__ = "0.2.0"
