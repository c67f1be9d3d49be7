"""Trains one memory on the recall task: python train_recall.py --memory multi."""
import argparse
import csv
from pathlib import Path

import torch
import torch.nn.functional as F
import yaml

from memory import MEMORIES, Recaller, recall_batch

FIELDS = ["seed", "step", "train_loss", "recall_accuracy", "slot_usage"]


def get_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", default="configs/recall.yaml")
    parser.add_argument("--memory", choices=list(MEMORIES), required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--smoke", action="store_true", help="four steps")
    return parser.parse_args()


@torch.no_grad()
def recall_accuracy(model, cfg, generator, batches=10):
    model.eval()
    hits, asked = 0, 0
    for _ in range(batches):
        tokens, answers = recall_batch(256, **cfg["task"], generator=generator)
        hits += (model(tokens).argmax(dim=-1).cpu() == answers).sum().item()
        asked += len(answers)
    model.train()
    return hits / asked


def main():
    args = get_args()
    cfg = yaml.safe_load(Path(args.config).read_text())
    torch.manual_seed(args.seed)
    drawn = torch.Generator().manual_seed(args.seed)
    held_out = torch.Generator().manual_seed(10_000 + args.seed)
    width = cfg["model"]["width"]
    model = Recaller(cfg["task"]["vocabulary"], width, MEMORIES[args.memory](width, cfg["memory"]))
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["train"]["lr"])
    steps = 4 if args.smoke else cfg["train"]["steps"]
    every = 2 if args.smoke else cfg["train"]["evaluate_every"]
    target = Path("results") / f"recall_{args.memory}.csv"
    target.parent.mkdir(exist_ok=True)
    fresh = not target.exists()
    with target.open("a", newline="") as handle:
        writer = csv.DictWriter(handle, FIELDS)
        if fresh:
            writer.writeheader()
        for step in range(1, steps + 1):
            tokens, answers = recall_batch(cfg["train"]["batch_size"], **cfg["task"], generator=drawn)
            loss = F.cross_entropy(
                model(tokens), answers.to(model.device), label_smoothing=cfg["train"]["label_smoothing"]
            )
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            if step % every == 0:
                writer.writerow(
                    {
                        "seed": args.seed,
                        "step": step,
                        "train_loss": loss.item(),
                        "recall_accuracy": recall_accuracy(model, cfg, held_out),
                        "slot_usage": model.memory.used(),
                    }
                )


if __name__ == "__main__":
    main()
