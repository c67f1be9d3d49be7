import numpy as np

from lab.problem import Bowl, descend


def experiment(make, values):
    """The distance that noise of `sigma` leaves."""
    *_, last = descend(Bowl(values, sigma=values.sigma), make(), values.steps)
    return {"final_distance": float(np.linalg.norm(last))}
