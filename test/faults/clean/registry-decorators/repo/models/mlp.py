from sklearn.neural_network import MLPClassifier

from models.base import Base, register


@register("mlp", width=64, steps=300)
@register("mlp-small", width=8, steps=300)
class MLP(Base):
    def __init__(self, width, steps, **forwarded):
        self.inner = MLPClassifier((width,), max_iter=steps, **forwarded)

    def fit(self, features, labels):
        self.inner.fit(features, labels)
        return self

    def predict(self, features):
        return self.inner.predict(features)
