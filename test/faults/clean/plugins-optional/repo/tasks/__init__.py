"""Every module of this folder is a task: it has `make(seed)`."""
import importlib
import pkgutil

NAMES = sorted(info.name for info in pkgutil.iter_modules(__path__) if not info.name.startswith("_"))


def load(name):
    if name not in NAMES:
        raise SystemExit(f"no task {name}; there are {NAMES}")
    return importlib.import_module(f"{__name__}.{name}")
