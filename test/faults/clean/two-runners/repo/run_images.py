import argparse
import os

import torch
import yaml
from torch.utils.data import DataLoader, Subset
from torchvision import datasets, transforms

from src.logging_utils import CSVLogger
from src.losses import LOSSES, accuracy


def loaders(cfg, smoke):
    root = os.environ.get("DATA_ROOT", cfg["data"]["root"])
    if not os.path.isdir(root):
        raise FileNotFoundError(f"{root}: download the data first, see README.md")
    transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize(**cfg["data"]["normalize"])])
    for train in (True, False):
        data = getattr(datasets, cfg["data"]["name"])(root, train=train, transform=transform)
        if smoke:
            data = Subset(data, range(16))
        yield DataLoader(data, batch_size=cfg["train"]["batch_size"], shuffle=train)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="configs/images.yaml")
    parser.add_argument("--loss", choices=list(LOSSES), required=True)
    parser.add_argument("--smoke", action="store_true")
    args = parser.parse_args()
    cfg = yaml.safe_load(open(args.config))
    train_loader, test_loader = loaders(cfg, args.smoke)
    model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.LazyLinear(cfg["model"]["classes"]))
    optimizer = torch.optim.Adam(model.parameters(), lr=float(cfg["train"]["lr"]))
    logger = CSVLogger(os.path.join("results", f"images_{args.loss}.csv"), ["epoch", "test_accuracy"])
    for epoch in range(1 if args.smoke else cfg["train"]["epochs"]):
        for x, y in train_loader:
            loss = LOSSES[args.loss](model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scores = [accuracy(model(x), y) for x, y in test_loader]
        logger.log(dict(epoch=epoch, test_accuracy=sum(scores) / len(scores)))
    logger.close()


if __name__ == "__main__":
    main()
