import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { createPyright } from '../../src/analyzers/pyright.ts';
import { withoutKnown } from '../../src/diagnostics/type-faults.ts';
import type { Problem } from '../../src/domain/finding.ts';
import { openPipe } from '../../src/processes/open-pipe.ts';
import { unplanned } from '../faults/corpus.ts';
import { findingsOf } from '../faults/measure.ts';
import { fetchPackage, packageIndex, type Pin, readPins } from '../fakes/real-packages.ts';

const parser = await createParser();
const pins = await readPins();

describe('a published package', function () {
  this.timeout(600_000);
  const trees = new Map<Pin, ReadonlyMap<string, string>>();

  before(async function () {
    const index = await packageIndex();
    for (const pin of pins) {
      const tree = await fetchPackage(index, pin);
      if (tree === undefined) {
        console.log(`    The package index ${index} cannot be reached: nothing is checked.`);
        this.skip();
      }
      trees.set(pin, tree);
    }
  });

  for (const pin of pins)
    it(`has no fault but those that are true of it: ${pin.file}`, () => {
      const tree = trees.get(pin) ?? new Map<string, string>();
      const found = findingsOf(parser, unplanned(pin.name, tree));
      assert.deepEqual(idsOf(found), Object.keys(pin.true).sort(), told(found, pin.true));
    });

  describe('by its types', () => {
    const pyright = createPyright(openPipe);
    after(() => pyright.end());

    for (const pin of pins)
      it(`has none either: ${pin.file}`, async () => {
        const tree = trees.get(pin) ?? new Map<string, string>();
        const checked = await pyright.check(
          new Map([...tree].filter(([path]) => path.endsWith('.py'))),
        );
        assert.equal(checked.kind, 'checked');
        const known = findingsOf(parser, unplanned(pin.name, tree));
        const found = checked.kind === 'checked' ? withoutKnown(checked.problems, known) : [];
        assert.deepEqual(idsOf(found), Object.keys(pin.types).sort(), told(found, pin.types));
      });
  });
});

function idsOf(problems: readonly Problem[]): string[] {
  return problems.map(idOf).sort();
}

function idOf({ kind, path, symbol }: Problem): string {
  return `${kind} ${path} ${symbol}`.trim();
}

/** What is said beyond what is true, in full. */
function told(found: readonly Problem[], known: Readonly<Record<string, string>>): string {
  const alarms = found.filter((problem) => !(idOf(problem) in known));
  return alarms.map(({ message }) => message).join('\n') || 'A known finding is gone.';
}
