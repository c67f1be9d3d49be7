import argparse

import torch
import yaml

from src.logging_utils import CSVLogger
from src.losses import accuracy, get_loss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="configs/toy.yaml")
    parser.add_argument("--loss", type=str, required=True)
    parser.add_argument("--smoke", action="store_true")
    args = parser.parse_args()

    with open(args.config) as f:
        cfg = yaml.safe_load(f)

    torch.manual_seed(cfg["seed"])
    model = torch.nn.Linear(cfg["model"]["inputs"], cfg["model"]["classes"])
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg["train"]["lr"], momentum=cfg["train"]["momentum"])
    loss_fn = get_loss(args.loss)
    logger = CSVLogger(f"results/toy_{args.loss}.csv", ["step", "train_loss", "test_accuracy"])
    steps = 3 if args.smoke else cfg["train"]["steps"]
    for step in range(steps):
        x = torch.randn(cfg["train"]["batch_size"], cfg["model"]["inputs"])
        y = (x.sum(dim=1) > 0).long()
        loss = loss_fn(model(x), y, **cfg["loss"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logger.log({"step": step, "train_loss": loss.item(), "test_accuracy": accuracy(model(x), y)})
    logger.close()


if __name__ == "__main__":
    main()
