#!/usr/bin/env bash
set -euo pipefail
for series in electricity traffic; do
  for model in persistence tcn lstm nbeats; do
    python cli.py train --model "$model" --series "$series"
  done
done
for missing in 0.1 0.3 0.5; do
  for model in tcn lstm nbeats; do
    python cli.py robustness --model "$model" --missing "$missing"
  done
done
