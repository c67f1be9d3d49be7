import json
from pathlib import Path

import click
import numpy as np

from gp import GaussianProcess
from kernels import KERNELS


@click.group()
def cli():
    """Gaussian processes on a toy function."""


@cli.command()
@click.option("--kernel", type=click.Choice(sorted(KERNELS)), default="rbf", show_default=True)
@click.option("--points", "-p", default=20, help="Training points.")
@click.option("--out", "target", type=click.Path(path_type=Path), default="results/gp.json")
@click.pass_context
def fit(ctx, kernel, points, target):
    rng = np.random.default_rng(ctx.obj or 0)
    x = np.sort(rng.uniform(-3, 3, size=points))
    process = GaussianProcess(KERNELS[kernel](lengthscale=0.7) if kernel != "periodic" else KERNELS[kernel]())
    mean, std = process.fit(x, np.sin(3 * x)).predict(np.linspace(-3, 3), return_std=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(dict(kernel=kernel, mean=mean.tolist(), std=std.tolist())))


@cli.command("list-kernels")
def list_kernels():
    for name in KERNELS:
        click.echo(name)


if __name__ == "__main__":
    cli()
