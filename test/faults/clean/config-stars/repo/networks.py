from torch import nn


def network(widths, dropout, inputs=784, classes=10):
    layers = [nn.Flatten()]
    for width in widths:
        layers += [nn.Linear(inputs, width), nn.ReLU(), nn.Dropout(dropout)]
        inputs = width
    return nn.Sequential(*layers, nn.Linear(inputs, classes))
