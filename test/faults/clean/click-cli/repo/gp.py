import numpy as np
from kernels import Kernel


class GaussianProcess:
    def __init__(self, kernel: Kernel, noise: float = 1e-2):
        self.kernel, self.noise = kernel, noise
        self._inputs = self._factor = self._alpha = None

    def fit(self, inputs, targets):
        self._inputs = inputs
        gram = self.kernel(inputs, inputs) + self.noise * np.eye(len(inputs))
        self._factor = np.linalg.cholesky(gram)
        self._alpha = np.linalg.solve(gram, targets)
        return self

    def predict(self, inputs, return_std: bool = False):
        cross = self.kernel(inputs, self._inputs)
        mean = cross @ self._alpha
        if not return_std:
            return mean
        solved = np.linalg.solve(self._factor, cross.T)
        return mean, np.sqrt(np.maximum(1.0 - (solved**2).sum(axis=0), 0.0))
