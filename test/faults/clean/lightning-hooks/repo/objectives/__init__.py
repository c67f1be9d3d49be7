from objectives.contrastive import SimCLR
from objectives.data import TwoViews
from objectives.supervised import Supervised
from objectives.variance import VICReg

OBJECTIVES = {"simclr": SimCLR, "vicreg": VICReg, "supervised": Supervised}

__all__ = ["OBJECTIVES", "TwoViews"]
