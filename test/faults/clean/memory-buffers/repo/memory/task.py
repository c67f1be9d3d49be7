"""The recall task: key, value, key, value, ..., key; the answer is the value after that key."""
import torch


def recall_batch(size, pairs, vocabulary, generator):
    keys = torch.stack([torch.randperm(vocabulary, generator=generator)[:pairs] for _ in range(size)])
    values = torch.randint(vocabulary, (size, pairs), generator=generator)
    asked = torch.randint(pairs, (size, 1), generator=generator)
    sequence = torch.stack([keys, values], dim=-1).flatten(start_dim=1)
    tokens = torch.cat([sequence, keys.gather(1, asked)], dim=1)
    return tokens, values.gather(1, asked).squeeze(1)
