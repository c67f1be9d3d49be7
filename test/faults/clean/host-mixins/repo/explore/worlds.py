import gymnasium as gym


class Counting(gym.Wrapper):
    """Counts the visits of every state."""

    def __init__(self, env):
        super().__init__(env)
        self.visits = {}

    def step(self, action):
        state, reward, terminated, truncated, info = self.env.step(action)
        self.visits[state] = self.visits.get(state, 0) + 1
        return state, reward, terminated, truncated, {**info, "visits": self.visits[state]}

    @property
    def states_seen(self):
        return len(self.visits)

    @property
    def shape(self):
        return self.observation_space.n, self.action_space.n


def make_world(name, seed):
    world = Counting(gym.make(name))
    world.reset(seed=seed)
    return world
