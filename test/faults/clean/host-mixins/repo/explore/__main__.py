import argparse
import logging

from explore.actions import Positive
from explore.learn import LEARNERS
from explore.recording import Beat, JsonLines
from explore.worlds import make_world

log = logging.getLogger("explore")


def main():
    parser = argparse.ArgumentParser(prog="explore")
    parser.add_argument("--bonus", choices=LEARNERS, default="none")
    parser.add_argument("--env", default="FrozenLake-v1")
    parser.add_argument("--steps", type=int, action=Positive, default=100_000)
    parser.add_argument("--gamma", type=float, default=0.99)
    parser.add_argument("--rate", type=float, action=Positive, default=0.1)
    parser.add_argument("--bonus-scale", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    handler = JsonLines(f"logs/{args.bonus}_{args.env}.jsonl")
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    Beat().start()
    world, judge = make_world(args.env, args.seed), make_world(args.env, args.seed + 1)
    learner = LEARNERS[args.bonus](
        world, gamma=args.gamma, rate=args.rate, scale=args.bonus_scale, seed=args.seed
    )
    every = min(1000, args.steps)
    for done in range(every, args.steps + 1, every):
        learner.advance(every)
        log.info(
            "evaluated",
            extra={
                "step": done,
                "evaluation_return": learner.evaluate(judge, episodes=20),
                "states_seen": world.states_seen,
            },
        )


if __name__ == "__main__":
    main()
