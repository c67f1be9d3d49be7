import torch
import torch.nn.functional as F
from torch import nn

from objectives.base import Pretraining


class SimCLR(Pretraining):
    """NT-Xent over two views (equation 1)."""

    def __init__(self, temperature: float = 0.2, **common):
        super().__init__(temperature=temperature, **common)
        self.projector = nn.Sequential(nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 64))

    def objective(self, views, labels):
        del labels
        projected = [F.normalize(self.projector(self.encoder(view)), dim=-1) for view in views]
        both = torch.cat(projected)
        scores = both @ both.T / self.hparams.temperature
        scores.fill_diagonal_(float("-inf"))
        half = len(projected[0])
        partners = torch.arange(2 * half, device=self.device).roll(half)
        return F.cross_entropy(scores, partners)
