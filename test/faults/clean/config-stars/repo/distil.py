import json
import sys
from pathlib import Path

import torch
from omegaconf import OmegaConf
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from networks import network
from schema import Settings
from temperature import SCHEDULES, distillation_loss


def settings(arguments):
    given = [argument for argument in arguments if "=" in argument]
    cfg = OmegaConf.merge(
        OmegaConf.structured(Settings), OmegaConf.load("conf/main.yaml"), OmegaConf.from_dotlist(given)
    )
    OmegaConf.set_readonly(cfg, True)
    return cfg


def loader(cfg, train):
    data = datasets.MNIST(**cfg.data, train=train, transform=transforms.ToTensor())
    return DataLoader(data, shuffle=train, **cfg.loader)


def fit(model, batches, cfg, loss_of):
    """One pass for every epoch; yields after each."""
    optimizer = torch.optim.AdamW(model.parameters(), **OmegaConf.to_container(cfg.optimizer))
    for epoch in range(cfg.trainer.epochs):
        model.train()
        for images, labels in batches:
            optimizer.zero_grad()
            loss_of(epoch, images, labels).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.trainer.clip)
            optimizer.step()
        yield epoch, model.eval()


@torch.no_grad()
def compare(student, teacher, batches):
    right = same = count = 0
    for images, labels in batches:
        guesses = student(images).argmax(dim=-1)
        right += (guesses == labels).sum().item()
        same += (guesses == teacher(images).argmax(dim=-1)).sum().item()
        count += len(labels)
    return {"student_accuracy": right / count, "agreement": same / count}


def main(arguments):
    cfg = settings(arguments)
    if "--print" in arguments:
        print(OmegaConf.to_yaml(cfg, resolve=True))
        return
    torch.manual_seed(cfg.seed)
    train, test = loader(cfg, True), loader(cfg, False)
    teacher, student = network(**cfg.teacher), network(**cfg.student)
    for _ in fit(teacher, train, cfg, lambda _epoch, images, labels: cross_entropy(teacher(images), labels)):
        pass
    schedule, options = SCHEDULES[cfg.schedule], dict(cfg.distillation)
    alpha = options.pop("alpha")

    def loss_of(epoch, images, labels):
        temperature = schedule(epoch / cfg.trainer.epochs, **options)
        with torch.no_grad():
            soft = teacher(images)
        return distillation_loss(student(images), soft, labels, temperature, alpha)

    folder = Path(cfg.output)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "log.jsonl").open("w") as log:
        for epoch, model in fit(student, train, cfg, loss_of):
            print(json.dumps({"epoch": epoch, **compare(model, teacher, test)}), file=log, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
