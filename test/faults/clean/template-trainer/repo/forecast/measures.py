import torch


def smape(forecast, truth):
    return 200 * ((forecast - truth).abs() / (forecast.abs() + truth.abs() + 1e-6)).mean()


def mase(forecast, truth, scale):
    return (forecast - truth).abs().mean() / scale


class Average:
    """A mean that is weighted by the sizes of batches."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.total, self.weight = 0.0, 0

    def add(self, value, weight):
        self.total += float(value) * weight
        self.weight += weight

    @property
    def value(self):
        return self.total / self.weight if self.weight else float("nan")


@torch.no_grad()
def measured(model, batches, measure):
    average = Average()
    for past, future in batches:
        average.add(measure(model(past), future), len(past))
    return average.value
