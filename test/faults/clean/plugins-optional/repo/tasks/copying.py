from ._shared import tokens


def make(seed):
    sequence = tokens(seed)
    return sequence, list(sequence)
