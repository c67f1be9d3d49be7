import contextlib
import csv
import typing as t

import gymnasium as gym

import agents


class Transition(t.NamedTuple):
    state: t.Any
    action: int
    reward: float
    following: t.Any
    done: bool


@contextlib.contextmanager
def environment(env_id: str, **kwargs):
    env = gym.make(env_id, **kwargs)
    try:
        yield env
    finally:
        env.close()


def episodes(env, agent: agents.Agent, count: int, learn: bool = True) -> t.Generator[float, None, None]:
    """Yields the return of each episode."""
    for _ in range(count):
        state, _info = env.reset()
        total, done = 0.0, False
        while not done:
            action = agent.act(state)
            following, reward, terminated, truncated, _ = env.step(action)
            if learn:
                agent.learn(Transition(state, action, float(reward), following, terminated))
            state, total, done = following, total + float(reward), terminated or truncated
        yield total


class ReturnLog:
    FIELDS = ("agent", "episode", "episode_return")

    def __init__(self, path):
        self._path = path

    def __enter__(self):
        self._file = open(self._path, "w", newline="")
        self._writer = csv.DictWriter(self._file, fieldnames=self.FIELDS)
        self._writer.writeheader()
        return self

    def __exit__(self, *exc):
        self._file.close()

    def __call__(self, **row):
        self._writer.writerow(row)
