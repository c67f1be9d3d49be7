from bandits import make_policy
from common.cli import Metrics, add_common, prepare
import argparse
import random

parser = argparse.ArgumentParser("epsilon")
add_common(parser)
parser.add_argument("--epsilons", type=lambda text: [float(part) for part in text.split(",")])
parser.set_defaults(epsilons=[0.0, 0.1, 0.3])


def reward_rate(epsilon, horizon):
    policy, total = make_policy("greedy", 5, epsilon=epsilon), 0.0
    for t in range(horizon):
        arm = policy.choose(t)
        reward = float(random.random() < arm / 5)
        policy.update(arm, reward)
        total += reward
    return total / horizon


if __name__ == "__main__":
    args = parser.parse_args()
    prepare(args)
    log = Metrics(args, "epsilon")
    for epsilon in args.epsilons:
        log.write(epsilon=epsilon, reward_rate=reward_rate(epsilon, 10 if args.smoke else 1000))
