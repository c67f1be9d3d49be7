#!/bin/bash
set -euo pipefail
ARGS=()
[ "${1-}" = "--smoke" ] && ARGS+=(--smoke)

LOSSES="ce focal smoothed"
for loss in $LOSSES; do
  python run_toy.py --loss=$loss ${ARGS[@]+"${ARGS[@]}"}
done

if [ -d "${DATA_ROOT:-./data}" ]; then
  for loss in $LOSSES; do
    python run_images.py --config configs/images.yaml --loss=$loss "${ARGS[@]}" &
  done
  wait
else
  echo "no data: images are left out" >&2
fi
