import numpy as np


def clean_and_noisy(noise, seed, size=2000, width=10):
    """Pairs (features, labels): noisy ones for training, clean ones of other points for measuring."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=width)

    def draw():
        features = rng.normal(size=(size, width))
        return features, (features @ truth > 0).astype(float)

    features, labels = draw()
    flipped = rng.random(size) < noise
    return (features, np.where(flipped, 1 - labels, labels)), draw()
