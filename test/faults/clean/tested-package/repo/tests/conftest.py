import numpy as np
import pytest


@pytest.fixture(scope="session")
def rng():
    return np.random.default_rng(7)


@pytest.fixture(params=[10, 100])
def scored(request, rng):
    labels = rng.integers(0, 2, size=request.param)
    labels[:2] = [0, 1]
    return rng.random(request.param), labels
