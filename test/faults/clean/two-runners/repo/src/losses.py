"""Losses by name."""
import torch
import torch.nn.functional as F


def cross_entropy(logits, labels, **_unused):
    return F.cross_entropy(logits, labels)


def focal(logits, labels, gamma=2.0, **_unused):
    log_p = F.log_softmax(logits, dim=-1).gather(1, labels[:, None]).squeeze(1)
    return -((1 - log_p.exp()) ** gamma * log_p).mean()


def smoothed(logits, labels, smoothing=0.1, **_unused):
    return F.cross_entropy(logits, labels, label_smoothing=smoothing)


LOSSES = {"ce": cross_entropy, "focal": focal, "smoothed": smoothed}


def get_loss(name):
    return LOSSES[name]


@torch.no_grad()
def accuracy(logits, labels):
    return (logits.argmax(dim=-1) == labels).float().mean().item()
