"""Bars: binary images of 8 by 8 with lines, as in section 4."""
import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def bars(count, seed):
    rng = np.random.default_rng(seed)
    rows, columns = rng.random((count, 8, 1)) < 0.125, rng.random((count, 1, 8)) < 0.125
    images = (rows | columns) ^ (rng.random((count, 8, 8)) < 0.01)
    return torch.from_numpy(images.reshape(count, 64).astype("float32"))


def split_loaders(settings, seed):
    train = TensorDataset(bars(settings.samples, seed))
    held_out = TensorDataset(bars(max(settings.samples // 10, 10), seed + 1_000_000))
    return (
        DataLoader(train, batch_size=settings.batch_size, shuffle=True),
        DataLoader(held_out, batch_size=1000),
    )
