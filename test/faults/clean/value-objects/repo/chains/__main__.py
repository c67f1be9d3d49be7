import argparse
import json
from pathlib import Path

from chains.run import run_chain
from chains.settings import Settings
from chains.targets import TargetName


def main():
    parser = argparse.ArgumentParser(prog="chains")
    parser.add_argument("settings", type=Path)
    parser.add_argument("--target", type=TargetName, choices=list(TargetName), required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", type=int, metavar="SAMPLES", help="a shorter chain")
    parser.add_argument("--output", type=Path, default=Path("results/chains.json"))
    args = parser.parse_args()
    settings = Settings.model_validate_json(args.settings.read_text())
    if args.quick is not None:
        settings = settings.shortened(args.quick)
    summary = run_chain(settings, args.target.build(), seed=args.seed)
    args.output.parent.mkdir(parents=True, exist_ok=True)
    rows = json.loads(args.output.read_text()) if args.output.exists() else []
    rows.append({"sampler": settings.sampler.value, "target": args.target.value, **summary._asdict()})
    args.output.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
