import torch
from torch.utils.data import DataLoader

from forecast.measures import measured, smape


class Lossy(torch.nn.Module):
    """Sets a random part of the history to the mean, which is zero."""

    def __init__(self, inner, missing, seed):
        super().__init__()
        self.inner = inner
        self.missing = missing
        self.generator = torch.Generator().manual_seed(seed)

    def forward(self, past):
        keep = torch.rand(past.shape, generator=self.generator) >= self.missing
        return self.inner(past * keep)


def degradation_under(model, windows, missing, seed):
    batches = DataLoader(windows, batch_size=512)
    whole = measured(model, batches, smape)
    lossy = measured(Lossy(model, missing, seed), batches, smape)
    return 100 * (lossy - whole) / whole
