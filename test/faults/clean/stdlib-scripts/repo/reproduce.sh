#!/usr/bin/env bash
set -e
HERE=$(cd "$(dirname "$0")" && pwd)
PYTHON=${PYTHON:-python3}
for policy in greedy ucb; do
  "$PYTHON" "$HERE/run_regret.py" --policy $policy --out-dir out "$@"
done
$PYTHON run_epsilon.py --epsilons 0,0.1,0.2 "$@" > out/epsilon.log 2>&1
