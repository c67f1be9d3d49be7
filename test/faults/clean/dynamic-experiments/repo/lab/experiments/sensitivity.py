from lab.problem import Bowl, descend

RATES = (0.001, 0.005, 0.02, 0.05, 0.1)


def run_sensitivity(make, values):
    finals = {}
    for rate in RATES:
        problem = Bowl(values)
        *_, last = descend(problem, make(rate=rate), values.steps)
        finals[rate] = problem.loss(last)
    return {"final_loss": finals, "best_rate": min(finals, key=finals.get)}
