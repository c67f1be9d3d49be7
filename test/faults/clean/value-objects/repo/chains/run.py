from typing import NamedTuple

import numpy as np

from chains.samplers import Hmc, Mala, RandomWalk
from chains.settings import SamplerName, Settings


class Summary(NamedTuple):
    effective_sample_size: float
    acceptance_rate: float
    samples: int


def effective_sample_size(draws):
    """The smallest over the coordinates, by the first negative autocorrelation."""
    sizes = []
    for column in (draws - draws.mean(axis=0)).T:
        spectrum = np.fft.rfft(column, n=2 * len(column))
        correlation = np.fft.irfft(spectrum * spectrum.conj())[: len(column)]
        correlation = correlation / correlation[0]
        end = int(np.argmax(correlation < 0)) or len(column)
        sizes.append(len(column) / (2 * correlation[:end].sum() - 1))
    return float(min(sizes))


def make_sampler(settings: Settings, target, seed):
    if settings.sampler is SamplerName.HMC:
        return Hmc(target, settings.step_size, seed, leapfrog_steps=settings.leapfrog_steps)
    cls = Mala if settings.sampler.needs_gradient else RandomWalk
    return cls(target, settings.step_size, seed)


def run_chain(settings: Settings, target, seed: int) -> Summary:
    print(settings.describe())
    sampler = make_sampler(settings, target, seed)
    state = sampler.state_at(np.zeros(target.dimension))
    draws = np.empty((settings.kept, target.dimension))
    for index in range(-settings.burn_in, settings.kept):
        state = sampler.move(state)
        if index >= 0:
            draws[index] = state.position
    return Summary(effective_sample_size(draws), sampler.acceptance_rate, settings.kept)
