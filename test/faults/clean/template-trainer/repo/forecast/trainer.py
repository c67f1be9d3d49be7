"""A trainer whose steps subclasses fill in."""
import copy
import csv

import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader

from forecast.data import Windows
from forecast.measures import measured, mase, smape
from forecast.models import build_model


class Trainer:
    """Runs epochs; what an epoch does is the subclass's `train_epoch`."""

    model: torch.nn.Module

    def __init__(self, model, cfg, parts, out):
        self.cfg = cfg
        self.model = model
        self.scale = parts.scale
        self.out = out
        self.rows = []
        self._make_loaders(parts)
        self.prepare()

    def _make_loaders(self, parts):
        size = self.cfg["optim"]["batch_size"]
        sets = [Windows(values, **self.cfg["window"]) for values in (parts.train, parts.val, parts.test)]
        self.train_loader = DataLoader(sets[0], batch_size=size, shuffle=True)
        self.val_loader, self.test_loader = (DataLoader(one, batch_size=size) for one in sets[1:])

    def prepare(self):
        pass

    def train_epoch(self):
        raise NotImplementedError

    def should_stop(self):
        return False

    def run(self, epochs):
        for epoch in range(epochs):
            train_loss = self.train_epoch()
            val_smape = measured(self.model, self.val_loader, smape)
            self.rows.append({"epoch": epoch, "train_loss": train_loss, "val_smape": val_smape})
            if self.should_stop():
                break

    def finish(self):
        """Measures the test part, and writes all rows."""
        test_smape = measured(self.model, self.test_loader, smape)
        test_mase = measured(self.model, self.test_loader, lambda a, b: mase(a, b, self.scale))
        fields = ["epoch", "train_loss", "val_smape", "test_smape", "test_mase"]
        self.out.parent.mkdir(parents=True, exist_ok=True)
        with self.out.open("w", newline="") as handle:
            writer = csv.DictWriter(handle, fields)
            writer.writeheader()
            writer.writerows(self.rows)
            writer.writerow({"epoch": "final", "test_smape": test_smape, "test_mase": test_mase})
        return {"test_smape": test_smape, "test_mase": test_mase}


class FixedTrainer(Trainer):
    """For models that have nothing to learn."""

    def train_epoch(self):
        return 0.0

    def should_stop(self):
        return True


class GradientTrainer(Trainer):
    def prepare(self):
        optim = self.cfg["optim"]
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=optim["lr"], weight_decay=optim["weight_decay"]
        )
        self.patience = optim["patience"]
        self.grad_clip = optim["grad_clip"]
        self.best = float("inf")
        self.best_state = None
        self.waited = 0

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for past, future in self.train_loader:
            loss = F.l1_loss(self.model(past), future)
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.grad_clip)
            self.optimizer.step()
            total += loss.item() * len(past)
        self.model.eval()
        return total / len(self.train_loader.dataset)

    def should_stop(self):
        value = self.rows[-1]["val_smape"]
        if value < self.best:
            self.best, self.waited = value, 0
            self.best_state = copy.deepcopy(self.model.state_dict())
        else:
            self.waited += 1
        return self.waited >= self.patience

    def finish(self):
        if self.best_state is not None:
            self.model.load_state_dict(self.best_state)
        return super().finish()


def make_trainer(name, cfg, parts, out):
    torch.manual_seed(cfg["seed"])
    model = build_model(name, cfg["window"], cfg["models"][name])
    cls = GradientTrainer if model.trainable else FixedTrainer
    return cls(model, cfg, parts, out)
