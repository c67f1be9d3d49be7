from bandits import make_policy
from common import Metrics, prepare, runner
import random


def main():
    parser = runner("Regret over time")
    parser.add_argument("--policy", default="ucb", help="greedy or ucb")
    args = parser.parse_args()
    prepare(args)
    metrics = Metrics(args, "regret")
    horizon = 10 if args.smoke else 10_000
    means = [random.random() for _ in range(10)]
    policy = make_policy(args.policy, len(means))
    regret = 0.0
    for t in range(horizon):
        arm = policy.choose(t)
        policy.update(arm, float(random.random() < means[arm]))
        regret += max(means) - means[arm]
        if t % max(1, horizon // 100) == 0:
            metrics.write(t=t, policy=args.policy, cumulative_regret=regret)


if __name__ == "__main__":
    main()
