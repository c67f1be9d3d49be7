"""Codes that are learned without labels."""
import numpy as np


class Raw:
    def __init__(self, size, epochs, lr, seed):
        self.size, self.epochs, self.lr, self.seed = size, epochs, lr, seed

    def fit(self, images):
        return self

    def transform(self, images):
        return images

    def inverse_transform(self, codes):
        return codes


class PCA(Raw):
    def fit(self, images):
        self.mean_ = images.mean(axis=0)
        self.axes_ = np.linalg.svd(images - self.mean_, full_matrices=False)[2][: self.size]
        return self

    def transform(self, images):
        return (images - self.mean_) @ self.axes_.T

    def inverse_transform(self, codes):
        return codes @ self.axes_ + self.mean_


class AutoEncoder(Raw):
    def fit(self, images):
        rng = np.random.default_rng(self.seed)
        self.down_ = rng.normal(scale=0.1, size=(images.shape[1], self.size))
        self.up_ = rng.normal(scale=0.1, size=(self.size, images.shape[1]))
        for _ in range(self.epochs):
            codes = self.transform(images)
            error = (self.inverse_transform(codes) - images) / len(images)
            grad_up = codes.T @ error
            grad_down = images.T @ (error @ self.up_.T * (1 - codes**2))
            self.up_ -= self.lr * grad_up
            self.down_ -= self.lr * grad_down
        return self

    def transform(self, images):
        return np.tanh(images @ self.down_)

    def inverse_transform(self, codes):
        return codes @ self.up_


CODES = {"raw": Raw, "pca": PCA, "autoencoder": AutoEncoder}
