"""Trains with one row of the table of ablations."""
import argparse
import csv
import dataclasses
import json
import pathlib

import torch
import yaml

from vae.data import split_loaders
from vae.model import VAE
from vae.settings import VAESettings


@torch.no_grad()
def measured(model, batches):
    """The bound with full weight whatever was trained with, and the units that carry information."""
    total, units, count = 0.0, 0.0, 0
    for (images,) in batches:
        _, terms = model(images, kl_weight=1.0)
        total -= (terms["reconstruction"] + terms["kl"].sum()).item() * len(images)
        units += terms["kl"] * len(images)
        count += len(images)
    return total / count, int((units / count > 0.01).sum())


def main():
    ablations = yaml.safe_load(pathlib.Path("configs/ablations.yaml").read_text())
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ablation", choices=list(ablations), default="full")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--smoke", action="store_true")
    args = parser.parse_args()
    settings = VAESettings.read("configs/vae.yaml", smoke=args.smoke, **ablations[args.ablation])
    torch.manual_seed(args.seed)
    train, held_out = split_loaders(settings, args.seed)
    model = VAE(settings)
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.learning_rate)
    folder = pathlib.Path("runs") / args.ablation
    folder.mkdir(parents=True, exist_ok=True)
    test_elbo = float("nan")
    with open(folder / "metrics.csv", "w", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(["epoch", "kl_weight", "elbo", "active_units"])
        for epoch in range(settings.epochs):
            kl_weight = settings.weight_at(epoch)
            for (images,) in train:
                loss, _terms = model(images, kl_weight)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            elbo, active_units = measured(model, train)
            test_elbo, _ = measured(model, held_out)
            writer.writerow([epoch, kl_weight, elbo, active_units])
    summary = {"test_elbo": test_elbo, "settings": dataclasses.asdict(settings)}
    (folder / "summary.json").write_text(json.dumps(summary, indent=2))


if __name__ == "__main__":
    main()
