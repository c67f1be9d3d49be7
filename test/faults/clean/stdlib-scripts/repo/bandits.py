import math
import random


class Policy:
    def __init__(self, arms):
        self.counts = [0] * arms
        self.sums = [0.0] * arms

    def mean(self, arm):
        return self.sums[arm] / max(1, self.counts[arm])

    def update(self, arm, reward):
        self.counts[arm] += 1
        self.sums[arm] += reward

    def choose(self, t):
        raise NotImplementedError


class Greedy(Policy):
    def __init__(self, arms, epsilon=0.1):
        super().__init__(arms)
        self.epsilon = epsilon

    def choose(self, t):
        if random.random() < self.epsilon:
            return random.randrange(len(self.counts))
        return max(range(len(self.counts)), key=self.mean)


class Ucb(Policy):
    def choose(self, t):
        return max(
            range(len(self.counts)),
            key=lambda arm: float("inf")
            if not self.counts[arm]
            else self.mean(arm) + math.sqrt(2 * math.log(t + 1) / self.counts[arm]),
        )


def make_policy(name, arms, **options):
    if name == "greedy":
        return Greedy(arms, **options)
    elif name == "ucb":
        return Ucb(arms)
    raise ValueError(f"no policy {name!r}")
