import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyedFile, KeyedTree } from '../../src/analyzers/analysis.ts';
import { startAnalysis } from '../../src/analyzers/start-analysis.ts';
import { median } from './tables.ts';

/** Files of a made-up repository by path. */
export type Texts = Readonly<Record<string, string>>;

/** What diagnosing a tree costs: times in milliseconds, the loop's longest delay beside that of an idle process. */
export interface DiagnosisTimes {
  readonly files: number;
  readonly wholeMs: number;
  readonly afterThreeMs: number;
  readonly rollbackMs: number;
  readonly delayMs: number;
  readonly idleDelayMs: number;
}

const LINES_OF_A_FUNCTION = 12;
const ROUNDS = 5;

/** A sound repository of `count` Python files of about 200 lines that call each other, with its settings. */
export function madeUpTree(count: number): Texts {
  const texts: Record<string, string> = {
    'configs/base.yaml': Array.from(
      { length: count },
      (_, i) => `part${i}:\n  width: ${i}\n  rate: 0.1\n`,
    ).join(''),
    'requirements.txt': 'pyyaml\nnumpy\n',
    'pkg/__init__.py': '',
    'pkg/config.py':
      'import yaml\n\ndef load_config(path="configs/base.yaml"):\n    with open(path) as handle:\n        return yaml.safe_load(handle)\n',
  };
  for (let index = 0; index < count; index += 1) texts[`pkg/part${index}.py`] = partOf(index);
  return texts;
}

function partOf(index: number): string {
  const before = Array.from({ length: Math.min(3, index) }, (_, back) => index - 1 - back);
  const functions = Array.from({ length: 16 }, (_, each) =>
    [
      `def step_${each}(section, values, scale=1.0):`,
      `    """Take step ${each} of part ${index}."""`,
      '    total = 0.0',
      `    for position, value in enumerate(values):`,
      `        if position % ${each + 2} == 0:`,
      `            total += section["rate"] * value * scale`,
      '        else:',
      `            total -= np.tanh(value) / (section["width"] + ${each + 1})`,
      `    rows = [{"position": i, "value": float(v)} for i, v in enumerate(values)]`,
      `    print(f"part${index}: {len(rows)} rows, total {total:.3f}")`,
      `    return total${each > 0 ? ` + step_${each - 1}(section, values[1:])` : ''}`,
      '',
    ]
      .slice(0, LINES_OF_A_FUNCTION)
      .join('\n'),
  );
  const calls = before.map((other) => `    total += run_${other}(values)`);
  return [
    'import numpy as np',
    'from pkg.config import load_config',
    ...before.map((other) => `from pkg.part${other} import run as run_${other}`),
    '',
    ...functions,
    'def run(values):',
    '    cfg = load_config()',
    `    total = step_15(cfg["part${index}"], values)`,
    ...calls,
    '    return total',
    '',
  ].join('\n');
}

/** Diagnoses a tree whole, after three of its files changed, and with one of them rolled back. */
export async function timeDiagnosis(count: number): Promise<DiagnosisTimes> {
  const texts = madeUpTree(count);
  const analysis = await startAnalysis();
  // The first files compile the code of reader and checks.
  const other = Object.fromEntries(
    Object.entries(madeUpTree(12)).map(([path, text]) => [`warm/${path}`, text]),
  );
  const check = async (tree: Texts): Promise<number> => {
    const started = performance.now();
    await analysis.check(keyed(tree), ({ path }) => Promise.resolve(tree[path] ?? ''));
    return performance.now() - started;
  };
  await check(other);
  const watched = await longestDelay(() => check(texts));
  const idle = await longestDelay(async () => {
    await sleep(watched.result);
    return 0;
  });
  const afterThree: number[] = [];
  const rollback: number[] = [];
  let tree = texts;
  for (let round = 1; round <= ROUNDS; round += 1) {
    tree = { ...tree, ...changesOf(round, count) };
    afterThree.push(await check(tree));
    tree = { ...tree, 'pkg/part1.py': partOf(1) };
    rollback.push(await check(tree));
  }
  await analysis.end();
  return {
    ...{ files: Object.keys(texts).length, wholeMs: watched.result },
    ...{ afterThreeMs: median(afterThree), rollbackMs: median(rollback) },
    ...{ delayMs: watched.delayMs, idleDelayMs: idle.delayMs },
  };
}

/** Three files that are written anew in a round. */
function changesOf(round: number, count: number): Texts {
  const indexes = [1, Math.floor(count / 2), count - 1];
  return Object.fromEntries(
    indexes.map((index) => [
      `pkg/part${index}.py`,
      `${partOf(index)}\nround_${round} = ${index}\n`,
    ]),
  );
}

function keyed(texts: Texts): KeyedTree {
  const files = Object.entries(texts).map(([path, text]): KeyedFile => ({
    path,
    key: `${sha256(text)} ${path}`,
  }));
  return { files, planned: [], experiments: [] };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The longest that the event loop was held up while something was done. */
export async function longestDelay(
  work: () => Promise<number>,
): Promise<{ readonly result: number; readonly delayMs: number }> {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  const result = await work();
  delays.disable();
  return { result, delayMs: delays.max / 1e6 };
}
