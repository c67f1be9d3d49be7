#!/usr/bin/env bash
set -euo pipefail
for memory in single multi none; do
  for seed in 0 1 2 3 4; do
    python train_recall.py --memory "$memory" --seed "$seed" "$@"
  done
done
