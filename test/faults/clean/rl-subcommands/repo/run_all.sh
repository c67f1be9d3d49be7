#!/bin/sh
set -e
# every environment of table 2
for env in CartPole-v1 Acrobot-v1
do
    echo "== $env =="
    for agent in random q; do
        python main.py train --env "$env" --agent "$agent" -n "${EPISODES:-200}"
        mv results/returns.csv "results/returns-$env-$agent.csv"
    done
done
