from lab.problem import Bowl, descend


def run_convergence(make, values):
    problem = Bowl(values)
    return {"excess_loss": [problem.loss(point) for point in descend(problem, make(), values.steps)]}
