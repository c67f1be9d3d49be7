"""Memories that are written by moving averages and read by attention (section 3)."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class KeyValueMemory(nn.Module):
    """One table of slots; keys and values are state, not parameters (equation 3)."""

    def __init__(self, width, slots, decay):
        super().__init__()
        self.decay = decay
        self.register_buffer("keys", F.normalize(torch.randn(slots, width), dim=-1))
        self.register_buffer("values", torch.zeros(slots, width))
        self.register_buffer("usage", torch.zeros(slots), persistent=False)
        self.register_parameter("log_temperature", nn.Parameter(torch.tensor(math.log(10.0))))

    def similarity(self, queries):
        return F.normalize(queries, dim=-1) @ self.keys.T * self.log_temperature.exp()

    @torch.no_grad()
    def write(self, keys, values):
        nearest = self.similarity(keys).argmax(dim=-1).flatten()
        values = values.reshape(len(nearest), -1)
        self.usage.mul_(self.decay).index_add_(0, nearest, torch.ones_like(nearest, dtype=self.usage.dtype))
        self.values[nearest] = self.decay * self.values[nearest] + (1 - self.decay) * values

    def used(self):
        return (self.usage > 1e-3).float().mean().item()

    def forward(self, queries):
        if self.training:
            self.write(queries, queries)
        return self.similarity(queries).softmax(dim=-1) @ self.values


class MultiHeadMemory(nn.Module):
    """Several tables, each with a decay of its own; their reads are mixed linearly."""

    def __init__(self, width, slots, decay, heads):
        super().__init__()
        self.heads = heads
        for index in range(heads):
            setattr(self, f"table_{index}", KeyValueMemory(width, slots, decay ** (index + 1)))
        self.add_module("mix", nn.Linear(heads * width, width))
        self.scales = nn.ParameterDict({name: torch.ones(width) for name in ("read", "skip")})

    def tables(self):
        return [module for module in self.children() if isinstance(module, KeyValueMemory)]

    def used(self):
        tables = self.tables()
        return sum(table.used() for table in tables) / len(tables)

    def forward(self, queries):
        reads = torch.cat([getattr(self, f"table_{index}")(queries) for index in range(self.heads)], dim=-1)
        first = self.table_0.similarity(queries).amax(dim=-1, keepdim=True)
        return self.scales["read"] * self.mix(reads) + self.scales["skip"] * queries * first.sigmoid()


class NoMemory(nn.Module):
    """The baseline without a memory: the queries pass."""

    def __init__(self, width):
        super().__init__()
        self.width = width

    def used(self):
        return 0.0

    def forward(self, queries):
        return queries

    def extra_repr(self):
        return f"width={self.width}"


MEMORIES = {
    "single": lambda width, options: KeyValueMemory(width, options["slots"], options["decay"]),
    "multi": lambda width, options: MultiHeadMemory(width, **options),
    "none": lambda width, options: NoMemory(width),
}


class Recaller(nn.Module):
    """Encodes a sequence of pairs, reads the memory at the query, and names the value."""

    def __init__(self, vocabulary, width, memory):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.encoder = nn.GRU(width, width, batch_first=True)
        self.memory = memory
        self.head = nn.Linear(2 * width, vocabulary)
        self.apply(self._initialise)

    @staticmethod
    def _initialise(module):
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)

    @property
    def device(self):
        return next(self.parameters()).device

    def forward(self, tokens):
        states, last = self.encoder(self.embed(tokens.to(self.device)))
        read = self.memory(states[:, -1])
        return self.head(torch.cat([last[0], read], dim=-1))
