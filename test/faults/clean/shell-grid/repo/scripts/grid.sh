#!/usr/bin/env bash
# Usage: scripts/grid.sh [--smoke] [extra arguments of train.py]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

methods=(ours fixed none)
declare -A steps=([ours]=2000 [fixed]=2000 [none]=1)
extra=()

usage() {
  cat <<'TEXT'
grid.sh runs all cells; "--smoke" runs each for two steps (it's quick)
TEXT
}

while (($#)); do
  case "$1" in
    --smoke) extra+=(--steps 2) ;;
    -h | --help)
      usage
      exit 0
      ;;
    *) extra+=("$1") ;;
  esac
  shift
done

run() {
  local method=$1 seed=$2
  python3 -m pruning.train \
    --method "$method" \
    --seed "$seed" \
    --steps "${steps[$method]}" \
    "${extra[@]+"${extra[@]}"}" | tee "logs/${method}-${seed}.log"
}

mkdir -p logs
for method in "${methods[@]}"; do
  for ((seed = 0; seed < 3; seed++)); do
    run "$method" "$seed"
  done
done
python3 - <<'PY'
import glob
print(len(glob.glob("logs/*.log")), "logs")
PY
