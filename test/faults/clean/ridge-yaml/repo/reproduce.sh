#!/usr/bin/env bash
set -euo pipefail

SMOKE=""
if [[ "${1:-}" == "--smoke" ]]; then
  SMOKE="--smoke"
fi

for solver in closed descent; do
  for noise in low high; do
    for seed in 0 1 2; do
      python run_ridge.py --solver "$solver" --noise "$noise" \
        --seed "$seed" $SMOKE
    done
  done
done
