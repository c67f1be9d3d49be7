import argparse
import asyncio
import typing
from pathlib import Path

from pipeline import SHARD, Split, rows, shards, write_all

splits: tuple[Split, ...] = typing.get_args(Split)
parser = argparse.ArgumentParser()
parser.add_argument("source", type=Path, nargs="+")
parser.add_argument("--split", choices=splits, default=splits[0])
parser.add_argument("--into", type=Path, default=Path("shards"))
parser.add_argument("--count-only", action="store_true")


def main(source: list[Path], split: Split, into: Path, count_only: bool) -> None:
    for path in source:
        if count_only:
            print(path, sum(1 for _ in shards(rows(path), SHARD)))
        else:
            print(path, asyncio.run(write_all(rows(path), into / path.stem, split, parallel=2)))


if __name__ == "__main__":
    main(**vars(parser.parse_args()))
