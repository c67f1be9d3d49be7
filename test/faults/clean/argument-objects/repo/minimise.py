import json
import pathlib
import sys

from engine import Curve, Print, Schedule, Trainer
import engine.hooks as hooks

SETTINGS = json.loads((pathlib.Path(__file__).parent / "settings.json").read_text())


class Parabola:
    def __init__(self, x=5.0):
        self.x = x

    def __call__(self, rate):
        self.x -= rate * 2 * self.x
        return self.x**2


def main(verbose=False):
    curve = Curve()
    trainer = Trainer(Parabola(**SETTINGS["start"]), Schedule.from_dict(SETTINGS["schedule"]), [curve])
    if verbose:
        trainer.add(Print(), hooks.Hook())
    state = trainer.fit(SETTINGS["schedule"]["total"], stop=SETTINGS.get("stop"))
    assert len(curve.losses) == state["step"] + 1
    return state


if __name__ == "__main__":
    print(main(verbose="-v" in sys.argv))
