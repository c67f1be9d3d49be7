import { setTimeout as sleep } from 'node:timers/promises';
import { createPyright, type TypeCheck } from '../../src/analyzers/pyright.ts';
import { openPipe } from '../../src/processes/open-pipe.ts';
import { longestDelay, type Texts } from './diagnosis.ts';
import { median } from './tables.ts';

/** What checking the types of a tree costs, in milliseconds; the first time with the start of the server. */
export interface TypeTimes {
  readonly files: number;
  readonly coldMs: number;
  readonly afterThreeMs: number;
  readonly delayMs: number;
  readonly idleDelayMs: number;
}

const ROUNDS = 3;
const GROUP = 10;

/** A sound repository: packages of ten modules over one base, each of which uses the base and its neighbour; a script uses all. */
export function layeredTree(count: number): Texts {
  const texts: Record<string, string> = { 'lab/__init__.py': '', 'lab/base.py': BASE };
  for (let index = 0; index < count; index += 1) {
    texts[`lab/${groupOf(index)}/__init__.py`] = '';
    texts[`lab/${groupOf(index)}/part${index}.py`] = partOf(index);
  }
  return texts;
}

const BASE =
  'import torch\nfrom torch import nn\n\nclass Base(nn.Module):\n    def __init__(self, width: int) -> None:\n        super().__init__()\n        self.width = width\n\n    def scale(self, x: torch.Tensor) -> torch.Tensor:\n        return x / self.width\n';

function groupOf(index: number): string {
  return `group${Math.floor(index / GROUP)}`;
}

function partOf(index: number): string {
  const before = index % GROUP === 0 ? undefined : index - 1;
  const methods = Array.from({ length: 12 }, (_, each) =>
    [
      `    def step_${each}(self, x: torch.Tensor, rate: float = 0.1) -> torch.Tensor:`,
      `        """Take step ${each} of part ${index}."""`,
      '        total = self.scale(x)',
      '        rows = []',
      `        for position, value in enumerate(x):`,
      `            if position % ${each + 2} == 0:`,
      `                total = total + rate * value`,
      `            rows.append({"position": position, "value": float(value)})`,
      `        print(f"part${index}: {len(rows)} rows, {math.sqrt(len(rows)):.3f}")`,
      `        return total${each > 0 ? ` + self.step_${each - 1}(x, rate)` : ''}`,
      '',
    ].join('\n'),
  );
  const other = before === undefined ? [] : [`        x = Part${before}(self.width).run(x)`];
  return [
    ...['import math', '', 'import torch', '', 'from lab.base import Base'],
    ...(before === undefined
      ? []
      : [`from lab.${groupOf(before)}.part${before} import Part${before}`]),
    ...['', `class Part${index}(Base):`],
    ...methods,
    '    def run(self, x: torch.Tensor) -> torch.Tensor:',
    ...other,
    '        return self.step_11(x)',
    '',
  ].join('\n');
}

/** Checks a tree of `count` parts by a new server, and again and again after three of its files changed. */
export async function timeTypes(count: number): Promise<TypeTimes> {
  const pyright = createPyright(openPipe);
  let tree = layeredTree(count);
  const check = async (): Promise<number> => {
    const started = performance.now();
    demandSound(await pyright.check(new Map(Object.entries(tree))));
    return performance.now() - started;
  };
  try {
    const watched = await longestDelay(check);
    const idle = await longestDelay(async () => {
      await sleep(watched.result);
      return 0;
    });
    const afterThree: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const changed = [5, Math.floor(count / 2) + 5, count - 3].map((index): [string, string] => [
        `lab/${groupOf(index)}/part${index}.py`,
        `${partOf(index)}\nROUND = ${round}\n`,
      ]);
      tree = { ...tree, ...Object.fromEntries(changed) };
      afterThree.push(await check());
    }
    return {
      ...{ files: Object.keys(tree).length, coldMs: watched.result },
      ...{ afterThreeMs: median(afterThree) },
      ...{ delayMs: watched.delayMs, idleDelayMs: idle.delayMs },
    };
  } finally {
    await pyright.end();
  }
}

function demandSound(answer: TypeCheck): void {
  if (answer.kind === 'not-run') throw new Error(`Pyright did not run: ${answer.reason}.`);
  if (answer.problems.length > 0) throw new Error('The made-up repository is not sound.');
}
