import numpy as np


def make_split(samples, dimension, noise, seed, train_fraction=0.8):
    """Gaussian features and a sparse true weight vector; returns (train, test) pairs."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(samples, dimension))
    truth = np.where(rng.random(dimension) < 0.3, rng.normal(size=dimension), 0.0)
    targets = features @ truth + noise * rng.normal(size=samples)
    cut = int(train_fraction * samples)
    return (features[:cut], targets[:cut]), (features[cut:], targets[cut:])
