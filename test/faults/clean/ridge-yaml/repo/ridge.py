"""Closed-form and iterative ridge regression (equations 2 and 5)."""
from __future__ import annotations

import numpy as np


def closed_form(features: np.ndarray, targets: np.ndarray, penalty: float) -> np.ndarray:
    """Solves (XᵀX + λI) w = Xᵀy."""
    gram = features.T @ features
    gram[np.diag_indices_from(gram)] += penalty
    return np.linalg.solve(gram, features.T @ targets)


def gradient_descent(
    features: np.ndarray,
    targets: np.ndarray,
    penalty: float,
    *,
    steps: int = 200,
    rate: float = 1e-2,
    callback=None,
) -> np.ndarray:
    weights = np.zeros(features.shape[1])
    for step in range(steps):
        residual = features @ weights - targets
        gradient = features.T @ residual / len(targets) + penalty * weights
        weights -= rate * gradient
        if callback is not None:
            callback(step, weights, float(np.mean(residual**2)))
    return weights


SOLVERS = {"closed": closed_form, "descent": gradient_descent}
