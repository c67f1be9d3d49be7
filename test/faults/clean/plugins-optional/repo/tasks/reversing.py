from ._shared import tokens


def make(seed):
    sequence = tokens(seed, length=12)
    return sequence, sequence[::-1]
