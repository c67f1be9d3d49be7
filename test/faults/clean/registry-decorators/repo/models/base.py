from __future__ import annotations

from typing import Any, Callable, ClassVar, Dict, Protocol, Type, TypeVar


class Classifier(Protocol):
    def fit(self, features: Any, labels: Any) -> "Classifier": ...

    def predict(self, features: Any) -> Any: ...


C = TypeVar("C", bound=type)
MODELS: Dict[str, Type] = {}


class UnknownModel(KeyError):
    pass


def register(name: str, **defaults: Any) -> Callable[[C], C]:
    def decorate(cls: C) -> C:
        if name in MODELS:
            raise ValueError(f"{name} is registered twice")
        MODELS[name] = cls
        cls.defaults = defaults
        return cls

    return decorate


def build(name: str, **overrides: Any) -> Classifier:
    try:
        cls = MODELS[name]
    except KeyError:
        raise UnknownModel(f"{name}; known are {', '.join(sorted(MODELS))}") from None
    return cls(**{**cls.defaults, **overrides})


class Base:
    """What the models share."""

    defaults: ClassVar[dict[str, Any]] = {}

    def fit(self, features, labels):
        raise NotImplementedError

    def score(self, features, labels) -> float:
        return float((self.predict(features) == labels).mean())

    def predict(self, features):
        raise NotImplementedError("subclasses predict")
