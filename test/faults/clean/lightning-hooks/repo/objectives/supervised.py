import torch.nn.functional as F

from objectives.base import Pretraining


class Supervised(Pretraining):
    """The upper bound: the encoder is trained through the probe."""

    def objective(self, views, labels):
        logits = self.probe(self.encoder(views[0]))
        accuracy = (logits.argmax(dim=-1) == labels).float().mean()
        self.log("train_accuracy", accuracy)
        return F.cross_entropy(logits, labels)
