import torch.nn.functional as F

from objectives.base import Pretraining


def off_diagonal(matrix):
    return matrix.flatten()[:-1].view(len(matrix) - 1, len(matrix) + 1)[:, 1:].flatten()


class VICReg(Pretraining):
    """Variance, invariance and covariance (equation 2); the temperature of the others is not used."""

    weights = (25.0, 25.0, 1.0)

    def __init__(self, temperature: float = 0.2, **common):
        super().__init__(**common)
        del temperature

    def objective(self, views, labels):
        a, b = (self.encoder(view) for view in views)
        invariance = F.mse_loss(a, b)
        variance = sum(F.relu(1 - (one.var(dim=0) + 1e-4).sqrt()).mean() for one in (a, b))
        covariance = sum(self._covariance(one) for one in (a, b))
        first, second, third = self.weights
        return first * invariance + second * variance + third * covariance

    @staticmethod
    def _covariance(codes):
        centred = codes - codes.mean(dim=0)
        matrix = centred.T @ centred / (len(codes) - 1)
        return off_diagonal(matrix).pow(2).sum() / codes.shape[1]
