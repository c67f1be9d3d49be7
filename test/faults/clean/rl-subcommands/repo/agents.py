from __future__ import annotations

import abc
from collections import deque
from typing import TYPE_CHECKING, Deque, Tuple

import numpy as np
import torch
from torch import nn

if TYPE_CHECKING:
    from gymnasium import Env

    from rollout import Transition


class Agent(abc.ABC):
    @abc.abstractmethod
    def act(self, observation: np.ndarray) -> int: ...

    def learn(self, transition: "Transition") -> None:  # agents that do not learn keep this
        pass

    @property
    @abc.abstractmethod
    def name(self) -> str:
        ...


class RandomAgent(Agent):
    name = "random"

    def __init__(self, env: Env, seed: int = 0):
        self.env = env
        env.action_space.seed(seed)

    def act(self, observation):
        del observation
        return int(self.env.action_space.sample())


class QAgent(Agent):
    """Q-learning with a small network and a replay memory (algorithm 1)."""

    name = "q"

    def __init__(self, env: Env, *, lr=1e-3, gamma=0.99, epsilon=0.1, capacity=10_000, batch=32):
        (observations,) = env.observation_space.shape
        self.actions = int(env.action_space.n)
        self.network = nn.Sequential(nn.Linear(observations, 64), nn.ReLU(), nn.Linear(64, self.actions))
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr)
        self.gamma, self.epsilon, self.batch = gamma, epsilon, batch
        self.memory: Deque[Tuple] = deque(maxlen=capacity)

    @torch.no_grad()
    def act(self, observation):
        if np.random.rand() < self.epsilon:
            return int(np.random.randint(self.actions))
        return int(self.network(torch.as_tensor(observation).float()).argmax())

    def learn(self, transition):
        self.memory.append(transition)
        if len(self.memory) < self.batch:
            return
        chosen = [self.memory[i] for i in np.random.randint(len(self.memory), size=self.batch)]
        states, actions, rewards, following, done = map(np.asarray, zip(*chosen))
        with torch.no_grad():
            best = self.network(torch.as_tensor(following).float()).max(dim=1).values
            target = torch.as_tensor(rewards) + self.gamma * best * (1 - torch.as_tensor(done).float())
        values = self.network(torch.as_tensor(states).float())
        picked = values.gather(1, torch.as_tensor(actions)[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(picked, target.float())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


AGENTS = {cls.name: cls for cls in [RandomAgent, QAgent]}
