#!/usr/bin/env python3
"""A GAN on eight Gaussians, in one file, as the paper's appendix C has it."""
import argparse
import json
import math
import os
import random
from copy import deepcopy

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import torch
from torch import nn, optim

CONFIG = {"latent": 2, "hidden": 128, "lr": 1e-4, "betas": (0.5, 0.9)}


def mlp(*sizes, last=nn.Identity):
    layers = []
    for index, (before, after) in enumerate(zip(sizes, sizes[1:])):
        layers += [nn.Linear(before, after), nn.ReLU() if index < len(sizes) - 2 else last()]
    return nn.Sequential(*layers)


def real(count):
    angle = torch.randint(8, (count,)) * (math.pi / 4)
    return torch.stack([angle.cos(), angle.sin()], dim=1) * 2 + 0.02 * torch.randn(count, 2)


def losses(kind):
    if kind == "hinge":
        return (lambda d_real, d_fake: (1 - d_real).relu().mean() + (1 + d_fake).relu().mean(),
                lambda d_fake: -d_fake.mean())
    bce = nn.functional.binary_cross_entropy_with_logits

    def discriminator(d_real, d_fake):
        return bce(d_real, torch.ones_like(d_real)) + bce(d_fake, torch.zeros_like(d_fake))

    return discriminator, lambda d_fake: bce(d_fake, torch.ones_like(d_fake))


def main(opt):
    random.seed(opt.seed)
    torch.manual_seed(opt.seed)
    generator = mlp(CONFIG["latent"], CONFIG["hidden"], CONFIG["hidden"], 2)
    average = deepcopy(generator)
    critic = mlp(2, CONFIG["hidden"], CONFIG["hidden"], 1)
    g_opt = optim.Adam(generator.parameters(), lr=CONFIG["lr"], betas=CONFIG["betas"])
    d_opt = optim.Adam(critic.parameters(), lr=CONFIG["lr"], betas=CONFIG["betas"])
    d_loss, g_loss = losses(opt.loss)
    history = []
    for it in range(opt.iterations):
        for _ in range(opt.critic_steps):
            fake = generator(torch.randn(opt.batch, CONFIG["latent"])).detach()
            value = d_loss(critic(real(opt.batch)), critic(fake))
            d_opt.zero_grad(); value.backward(); d_opt.step()
        value = g_loss(critic(generator(torch.randn(opt.batch, CONFIG["latent"]))))
        g_opt.zero_grad(); value.backward(); g_opt.step()
        with torch.no_grad():
            for target, source in zip(average.parameters(), generator.parameters()):
                target.lerp_(source, 1 - opt.ema)
        history.append({"iteration": it, "generator_loss": value.item()})
    os.makedirs(opt.out, exist_ok=True)
    with open(os.path.join(opt.out, f"{opt.loss}.json"), "w") as f:
        json.dump(history, f)
    samples = average(torch.randn(512, CONFIG["latent"])).detach()
    plt.scatter(*samples.T, s=2)
    plt.savefig(os.path.join(opt.out, f"{opt.loss}.png"))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    for flag, default in dict(iterations=2000, batch=256, critic_steps=1, seed=0).items():
        p.add_argument("--" + flag.replace("_", "-"), type=int, default=default)
    p.add_argument("--ema", type=float, default=0.999)
    p.add_argument("--loss", choices=("hinge", "bce"), default="bce")
    p.add_argument("--out", default="samples")
    main(p.parse_args())
