from typing import NamedTuple

import numpy as np
import pandas as pd
import torch
from torch.utils.data import Dataset


class Parts(NamedTuple):
    train: np.ndarray
    val: np.ndarray
    test: np.ndarray
    scale: float


def load_series(name, limit=None):
    """Splits in time, 70/10/20, standardised by the training part (section 5.1)."""
    values = pd.read_csv(f"data/{name}.csv", nrows=limit).to_numpy(dtype="float32")
    first, second = int(0.7 * len(values)), int(0.8 * len(values))
    mean, std = values[:first].mean(axis=0), values[:first].std(axis=0) + 1e-6
    values = (values - mean) / std
    scale = float(np.abs(np.diff(values[:first], axis=0)).mean())
    return Parts(values[:first], values[first:second], values[second:], scale)


class Windows(Dataset):
    def __init__(self, values, history, horizon):
        self.values = torch.as_tensor(values)
        self.history, self.horizon = history, horizon

    def __len__(self):
        return max(0, len(self.values) - self.history - self.horizon + 1)

    def __getitem__(self, index):
        middle = index + self.history
        return self.values[index:middle], self.values[middle : middle + self.horizon]
