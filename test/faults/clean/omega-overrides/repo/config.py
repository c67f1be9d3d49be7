"""Settings with attribute access: defaults, one overlay, and `key=value` from the command line."""
import copy
import pathlib

import yaml


class Config(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value


def wrap(value):
    if isinstance(value, dict):
        return Config({key: wrap(inner) for key, inner in value.items()})
    return value


def merge(base, overlay):
    merged = copy.deepcopy(base)
    for key, value in overlay.items():
        if isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = merge(merged[key], value)
        else:
            merged[key] = value
    return merged


def override(values, dotted):
    name, _, text = dotted.partition("=")
    *parents, last = name.split(".")
    for parent in parents:
        values = values[parent]
    if last not in values:
        raise KeyError(f"{name} is not a setting")
    values[last] = yaml.safe_load(text)


def load(experiment, overrides=()):
    folder = pathlib.Path(__file__).parent / "configs"
    values = yaml.safe_load((folder / "base.yaml").read_text())
    values = merge(values, yaml.safe_load((folder / f"{experiment}.yaml").read_text()) or {})
    for dotted in overrides:
        override(values, dotted)
    return wrap(values)
