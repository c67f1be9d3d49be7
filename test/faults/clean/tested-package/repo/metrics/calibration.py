import numpy as np

DEFAULT_BINS = 15


def reliability(confidence, correct, bins=DEFAULT_BINS):
    """Yields (weight, accuracy, confidence) of each bin that is not empty."""
    edges = np.linspace(0, 1, bins + 1)
    for low, high in zip(edges[:-1], edges[1:]):
        inside = (confidence > low) & (confidence <= high)
        if inside.any():
            yield inside.mean(), correct[inside].mean(), confidence[inside].mean()


def expected_calibration_error(confidence, correct, **kwargs):
    return sum(w * abs(a - c) for w, a, c in reliability(confidence, correct, **kwargs))
