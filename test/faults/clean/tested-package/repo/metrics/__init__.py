from .calibration import expected_calibration_error as ece
from .calibration import reliability
from .ranking import auc, average_precision

__all__ = ("auc", "average_precision", "ece", "reliability")
