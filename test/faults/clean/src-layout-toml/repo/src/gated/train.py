import argparse
import tomllib
from pathlib import Path

import torch
from tqdm.auto import trange

from gated.layers import GatedSum, PlainSum, loss_of

LAYERS = {"gated": GatedSum, "plain": PlainSum}


def batch(size: int, length: int, width: int) -> tuple[torch.Tensor, torch.Tensor]:
    inputs = torch.rand(size, length, width)
    return inputs, (inputs * (inputs > 0.5)).sum(dim=1)


def train(layer: str, settings: dict, device: str = "cpu") -> float:
    model = LAYERS[layer](settings["model"]["width"]).to(device)
    parameters = list(model.parameters()) or [torch.zeros(1, requires_grad=True)]
    optimizer = torch.optim.Adam(parameters, lr=settings["train"]["lr"])
    loss = torch.tensor(0.0)
    for step in trange(settings["train"]["steps"], disable=None):
        inputs, targets = batch(settings["train"]["batch_size"], 8, settings["model"]["width"])
        loss = loss_of(model, inputs.to(device), targets.to(device), settings["train"]["penalty"])
        if loss.requires_grad:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if step % settings["train"]["log_every"] == 0:
            print(f"{step=} loss={loss.item():.4f}")
    return loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--settings", type=Path, required=True)
    parser.add_argument("--layer", choices=list(LAYERS), required=True)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = vars(parser.parse_args())
    settings = tomllib.loads(options.pop("settings").read_text())
    print(train(settings=settings, **options))


if __name__ == "__main__":
    main()
