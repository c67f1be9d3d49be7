import numpy as np

from explore.bonuses import CountBonus, NoBonus, PredictionBonus


class QLearner:
    """Epsilon-greedy Q-learning; `bonus` comes from the mixin."""

    epsilon = 0.1

    def __init__(self, world, *, gamma, rate, scale, seed):
        self.world = world
        self.gamma, self.rate, self.scale = gamma, rate, scale
        self.random = np.random.default_rng(seed)
        self.table = np.zeros(world.shape)
        self.state, _ = world.reset(seed=seed)

    def act(self, state, greedy=False):
        if not greedy and self.random.random() < self.epsilon:
            return int(self.random.integers(self.table.shape[1]))
        return int(self.table[state].argmax())

    def advance(self, steps):
        for _ in range(steps):
            action = self.act(self.state)
            following, reward, terminated, truncated, info = self.world.step(action)
            reward += self.bonus(self.state, following, info)
            ahead = 0.0 if terminated else self.table[following].max()
            error = reward + self.gamma * ahead - self.table[self.state, action]
            self.table[self.state, action] += self.rate * error
            self.state = following
            if terminated or truncated:
                self.state, _ = self.world.reset()

    def evaluate(self, world, episodes):
        total = 0.0
        for _ in range(episodes):
            (state, _), over = world.reset(), False
            while not over:
                state, reward, terminated, truncated, _ = world.step(self.act(state, greedy=True))
                total += float(reward)
                over = terminated or truncated
        return total / episodes


class PlainLearner(NoBonus, QLearner):
    pass


class CountLearner(CountBonus, QLearner):
    pass


class PredictionLearner(PredictionBonus, QLearner):
    epsilon = 0.05


LEARNERS = {"none": PlainLearner, "count": CountLearner, "prediction": PredictionLearner}
