"""Entry point: python cli.py train --model tcn --series electricity."""
from pathlib import Path

import click
import yaml

from forecast.data import Windows, load_series
from forecast.models import MODELS
from forecast.robustness import degradation_under
from forecast.trainer import make_trainer


@click.group()
@click.option("--config", type=click.Path(exists=True, path_type=Path), default="config.yaml")
@click.pass_context
def cli(ctx, config):
    ctx.obj = yaml.safe_load(config.read_text())


@cli.command()
@click.option("--model", type=click.Choice(list(MODELS)), required=True)
@click.option("--series", type=click.Choice(["electricity", "traffic"]), default="electricity")
@click.option("--smoke", is_flag=True, help="One epoch on the first thousand hours.")
@click.pass_obj
def train(cfg, model, series, smoke):
    """Train one model on one data set."""
    parts = load_series(series, limit=1000 if smoke else None)
    trainer = make_trainer(model, cfg, parts, out=Path("results") / series / f"{model}.csv")
    trainer.run(epochs=1 if smoke else cfg["optim"]["epochs"])
    click.echo(trainer.finish())


@cli.command()
@click.option("--model", type=click.Choice([name for name in MODELS if name != "persistence"]), required=True)
@click.option("--missing", type=float, required=True, help="Fraction of the history that is lost.")
@click.option("--series", default="electricity")
@click.pass_obj
def robustness(cfg, model, missing, series):
    """How much worse the forecasts get when values are missing (table 4)."""
    parts = load_series(series)
    trainer = make_trainer(model, cfg, parts, out=Path("results") / series / f"{model}.csv")
    trainer.run(epochs=cfg["optim"]["epochs"])
    windows = Windows(parts.test, **cfg["window"])
    value = degradation_under(trainer.model, windows, missing, seed=cfg["seed"])
    path = Path("results/robustness.csv")
    if not path.exists():
        path.write_text("model,series,missing,degradation\n")
    with path.open("a") as handle:
        handle.write(f"{model},{series},{missing},{value}\n")


if __name__ == "__main__":
    cli()
