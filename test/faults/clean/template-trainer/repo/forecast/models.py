"""The forecasters of table 2; all map (batch, history, series) to (batch, horizon, series)."""
import torch
from torch import nn


class Forecaster(nn.Module):
    """Handles each series alone; subclasses forecast (batch, history)."""

    trainable = True

    def __init__(self, history, horizon):
        super().__init__()
        self.history = history
        self.horizon = horizon
        self.build()

    def build(self):
        """Subclasses make their layers here."""

    def single(self, past):
        raise NotImplementedError

    def forward(self, past):
        batch, history, series = past.shape
        if history != self.history:
            raise ValueError(f"{history} hours of history instead of {self.history}")
        flat = past.transpose(1, 2).reshape(batch * series, history)
        return self.single(flat).reshape(batch, series, self.horizon).transpose(1, 2)


class Persistence(Forecaster):
    """Yesterday again."""

    trainable = False

    def single(self, past):
        return past[:, -self.horizon :]


class TCN(Forecaster):
    def __init__(self, history, horizon, channels, levels):
        self.__dict__.update(channels=channels, levels=levels)
        super().__init__(history, horizon)

    def build(self):
        layers, before = [], 1
        for level in range(self.levels):
            dilation = 2**level
            layers += [
                nn.ConstantPad1d((2 * dilation, 0), 0.0),
                nn.Conv1d(before, self.channels, 3, dilation=dilation),
                nn.GELU(),
            ]
            before = self.channels
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(self.channels, self.horizon)

    def single(self, past):
        return self.head(self.body(past[:, None])[..., -1])


class LSTM(Forecaster):
    def __init__(self, history, horizon, hidden, layers):
        super().__init__(history, horizon)
        self.cell = nn.LSTM(1, hidden, layers, batch_first=True)
        self.head = nn.Linear(hidden, horizon)

    def single(self, past):
        states, _ = self.cell(past[..., None])
        return past[:, -1:] + self.head(states[:, -1])


class Block(nn.Module):
    def __init__(self, history, horizon, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(history, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.backcast = nn.Linear(width, history)
        self.forecast = nn.Linear(width, horizon)

    def forward(self, residual):
        hidden = self.body(residual)
        return self.backcast(hidden), self.forecast(hidden)


class NBeats(Forecaster):
    """Doubly residual stack (section 3)."""

    def __init__(self, history, horizon, blocks, width):
        super().__init__(history, horizon)
        self.blocks = nn.ModuleList([Block(history, horizon, width) for _ in range(blocks)])

    def single(self, past):
        residual, total = past, torch.zeros(len(past), self.horizon, device=past.device)
        for block in self.blocks:
            back, ahead = block(residual)
            residual, total = residual - back, total + ahead
        return total


MODELS = {"persistence": Persistence, "tcn": TCN, "lstm": LSTM, "nbeats": NBeats}


def build_model(name, window, options):
    return MODELS[name](**window, **options)
