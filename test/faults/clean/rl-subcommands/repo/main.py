import argparse
import os

import agents
import rollout


def train(args: argparse.Namespace) -> None:
    os.makedirs("results", exist_ok=True)
    options = {} if args.agent == "random" else {"lr": args.lr, "gamma": args.gamma}
    with rollout.environment(args.env) as env, rollout.ReturnLog("results/returns.csv") as log:
        agent = agents.AGENTS[args.agent](env, **options)
        for episode, total in enumerate(rollout.episodes(env, agent, args.episodes)):
            log(agent=agent.name, episode=episode, episode_return=total)


def show(args):
    with rollout.environment(args.env, render_mode="human") as env:
        for total in rollout.episodes(env, agents.RandomAgent(env), 1, learn=False):
            print(total)


def build_parser():
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--env", default="CartPole-v1")
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    trainer = commands.add_parser("train", parents=[common], help="trains an agent")
    trainer.add_argument("--agent", choices=list(agents.AGENTS), default="q")
    trainer.add_argument("--episodes", "-n", type=int, default=200)
    trainer.add_argument("--lr", type=float, default=1e-3)
    trainer.add_argument("--gamma", type=float, default=0.99)
    trainer.set_defaults(run=train)
    shower = commands.add_parser("show", parents=[common])
    shower.set_defaults(run=show)
    return parser


if __name__ == "__main__":
    arguments = build_parser().parse_args()
    arguments.run(arguments)
