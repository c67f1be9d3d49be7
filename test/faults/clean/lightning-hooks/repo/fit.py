"""Pre-trains one encoder and measures its probe."""
import argparse

import pytorch_lightning as pl
from pytorch_lightning.callbacks import Callback, LearningRateMonitor
from pytorch_lightning.loggers import CSVLogger

from objectives import OBJECTIVES, TwoViews


class BestSoFar(Callback):
    """Keeps the best validation accuracy, and says so at the end."""

    def __init__(self):
        self.best = 0.0

    def on_validation_epoch_end(self, trainer, pl_module):
        value = trainer.callback_metrics.get("val_accuracy")
        if value is not None:
            self.best = max(self.best, value.item())

    def on_fit_end(self, trainer, pl_module):
        print(f"best val_accuracy {self.best:.4f}")


def main(args):
    pl.seed_everything(args.seed, workers=True)
    data = TwoViews(args.data_dir, batch_size=16 if args.smoke else args.batch_size, limit=64 if args.smoke else None)
    common = {"lr": args.lr, "weight_decay": args.weight_decay, "warmup_epochs": args.warmup_epochs}
    if args.objective != "supervised":
        common["temperature"] = args.temperature
    model = OBJECTIVES[args.objective](**common)
    trainer = pl.Trainer(
        max_epochs=1 if args.smoke else args.max_epochs,
        logger=CSVLogger("runs", name="", version=args.objective),
        callbacks=[BestSoFar(), LearningRateMonitor()],
        fast_dev_run=False,
    )
    trainer.fit(model, datamodule=data)
    trainer.test(model, datamodule=data)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--objective", choices=sorted(OBJECTIVES), required=True)
    parser.add_argument("--data_dir", default="data")
    parser.add_argument("--lr", type=float, default=3e-4)
    parser.add_argument("--weight_decay", type=float, default=1e-4)
    parser.add_argument("--temperature", type=float, default=0.2)
    parser.add_argument("--batch_size", type=int, default=256)
    parser.add_argument("--max_epochs", type=int, default=100)
    parser.add_argument("--warmup_epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--smoke", action="store_true")
    main(parser.parse_args())
