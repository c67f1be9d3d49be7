#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")/.."
for ablation in full no-kl no-warmup small-latent; do
  python ablate.py --ablation "$ablation" "$@"
done
