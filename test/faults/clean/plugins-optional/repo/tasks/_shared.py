from random import Random


def tokens(seed, *, length=8, alphabet="abcdef"):
    return Random(seed).choices(alphabet, k=length)
