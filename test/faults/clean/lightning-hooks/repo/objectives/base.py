"""What the objectives share: the encoder, the online probe, the optimizer."""
import math

import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn
from torchvision.models import resnet18


class Pretraining(pl.LightningModule):
    """Subclasses give `objective(views, labels)`."""

    def __init__(self, lr: float = 3e-4, weight_decay: float = 1e-4, warmup_epochs: int = 10, **options):
        super().__init__()
        self.save_hyperparameters()
        self.encoder = resnet18(num_classes=128)
        self.encoder.maxpool = nn.Identity()
        self.probe = nn.Linear(128, 10)

    def objective(self, views, labels):
        raise NotImplementedError

    def on_train_start(self):
        self.logger.log_hyperparams({"parameters": sum(p.numel() for p in self.parameters())})

    def training_step(self, batch, batch_idx):
        views, labels = batch
        loss = self.objective(views, labels)
        probe_loss = F.cross_entropy(self.probe(self.encoder(views[0]).detach()), labels)
        self.log("train_loss", loss, prog_bar=True)
        self.log("probe_loss", probe_loss)
        return loss + probe_loss

    def _accuracy(self, batch):
        images, labels = batch
        return (self.probe(self.encoder(images)).argmax(dim=-1) == labels).float().mean()

    def validation_step(self, batch, batch_idx):
        self.log("val_accuracy", self._accuracy(batch), on_epoch=True)

    def test_step(self, batch, batch_idx):
        self.log("test_accuracy", self._accuracy(batch), on_epoch=True)

    def on_train_epoch_end(self):
        self.log("epoch_fraction", self.current_epoch / max(1, self.trainer.max_epochs))

    def _factor(self, epoch):
        warmup = self.hparams.warmup_epochs
        if epoch < warmup:
            return (epoch + 1) / warmup
        done = (epoch - warmup) / max(1, self.trainer.max_epochs - warmup)
        return 0.5 * (1 + math.cos(math.pi * done))

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(
            self.parameters(), lr=self.hparams.lr, weight_decay=self.hparams["weight_decay"]
        )
        return [optimizer], [torch.optim.lr_scheduler.LambdaLR(optimizer, self._factor)]
