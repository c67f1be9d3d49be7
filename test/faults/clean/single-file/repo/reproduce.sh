#!/usr/bin/env bash
set -euo pipefail
python train_gan.py --loss hinge --critic-steps 5 --ema 0.99
python train_gan.py --loss bce "$@"
