"""Reads records, keeps the valid ones, and writes shards."""
from __future__ import annotations

import asyncio
import contextlib
import gzip
import itertools
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Final, Literal, TypedDict

SHARD: Final = 1000
Split = Literal["train", "valid"]


class Row(TypedDict, total=False):
    text: str
    label: int


def rows(path: Path) -> Iterator[Row]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt") as handle:
        for line in handle:
            match json.loads(line):
                case {"text": str(text), "label": int(label)} if text:
                    yield Row(text=text, label=label)
                case {"text": text, **rest}:
                    yield {"text": text, "label": rest.get("class", -1)}
                case [text, *_]:
                    yield {"text": text}
                case _:
                    continue


def shards(items: Iterable[Row], size: int = SHARD) -> Iterator[list[Row]]:
    iterator = iter(items)
    while shard := list(itertools.islice(iterator, size)):
        yield shard


@contextlib.asynccontextmanager
async def limited(count: int):
    semaphore = asyncio.Semaphore(count)
    try:
        yield semaphore
    finally:
        del semaphore


async def write_all(items: Iterable[Row], folder: Path, split: Split, *, parallel: int = 4) -> int:
    folder.mkdir(parents=True, exist_ok=True)

    async def write(index: int, shard: list[Row], gate: asyncio.Semaphore) -> int:
        nonlocal total
        async with gate:
            text = "\n".join(json.dumps(row, default=str) for row in shard)
            await asyncio.to_thread((folder / f"{split}-{index:05d}.jsonl").write_text, text)
        total += len(shard)
        return len(shard)

    total = 0
    async with limited(parallel) as gate, asyncio.TaskGroup() as group:
        for index, shard in enumerate(shards(items)):
            group.create_task(write(index, shard, gate))
    return total


async def count(stream: AsyncIterator[Row]) -> int:
    return sum([1 async for row in stream if row])
