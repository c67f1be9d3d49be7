import types

DEFAULTS = {"lr": 0.1, "epochs": 30, "trim": 0.25, "beta": 0.8}


class Options(types.SimpleNamespace):
    """The defaults, with those overridden that are given."""

    def __init__(self, **given):
        unknown = given.keys() - DEFAULTS.keys()
        if unknown:
            raise TypeError(f"no such options: {', '.join(sorted(unknown))}")
        super().__init__(**{**DEFAULTS, **given})

    def changed(self):
        return {name: value for name, value in vars(self).items() if value != DEFAULTS[name]}

    @property
    def keep(self):
        return 1.0 - self.trim
