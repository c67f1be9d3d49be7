import assert from 'node:assert/strict';
import { createParser, type Parser } from '../../src/analyzers/parse-file.ts';
import { assignNames } from '../../src/diagnostics/assign-names.ts';
import { shrinkProblem } from '../../src/diagnostics/check-shrink.ts';
import { lostSymbols, type Reliance } from '../../src/diagnostics/lost-symbols.ts';
import { lineDiff } from '../../src/domain/line-diff.ts';
import { aProblem } from '../fakes/states.ts';

const BEFORE = `RATE = 0.1

def log_ratio(x):
    return x

def run(x):
    return x

def _hidden(x):
    return x

class Net:
    def forward(self, x):
        return x
    def reset(self):
        self.x = 0
`;

let parser: Parser;
before(async () => {
  parser = await createParser();
});

function lost(after: string, reliance: Partial<Reliance> = {}): string[] {
  const [was, is] = [BEFORE, after].map((text) => parser.parse('a.py', text).interface);
  assert.ok(was && is);
  const whole = { signatures: '', demands: [], callers: [], ...reliance };
  return lostSymbols(was, is, whole).map(({ symbol, neededBy }) => `${symbol}, ${neededBy}`);
}

describe('symbols that a repair loses', () => {
  it('are those that the plan, an owned requirement or a caller relies on', () => {
    const after = BEFORE.replace('def log_ratio', 'def other').replace('def reset', 'def clear');
    assert.deepEqual(lost(after), []);
    assert.deepEqual(lost(after, { signatures: 'def log_ratio(x) -> float' }), [
      'log_ratio, which its planned signatures name',
    ]);
    assert.deepEqual(lost(after, { demands: [{ id: 'R2', text: 'log_ratio is clipped' }] }), [
      'log_ratio, which R2 names',
    ]);
    assert.deepEqual(
      lost(after, { callers: [{ path: 'b.py', text: 'from a import log_ratio\nnet.reset()\n' }] }),
      ['log_ratio, which b.py uses', 'Net.reset, which b.py uses'],
    );
  });

  it('are none where the name is bound in another way, private, or a word of a sentence', () => {
    assert.deepEqual(
      lost(BEFORE.replace('def log_ratio(x):\n    return x', 'from b import log_ratio'), {
        signatures: 'def log_ratio(x)',
      }),
      [],
    );
    const after = BEFORE.replace('def run', 'def go').replace('_hidden', '_other');
    assert.deepEqual(lost(after, { demands: [{ id: 'R1', text: 'run five seeds; _hidden' }] }), []);
  });

  it('are no methods of a class whose bases changed', () => {
    const after = BEFORE.replace('class Net', 'class Net(Base)').replace('def reset', 'def clear');
    assert.deepEqual(lost(after, { signatures: 'reset' }), []);
  });
});

describe('a name that a caller takes and another file lacks', () => {
  const problem = aProblem('b.py', { symbol: 'build from models.net' });

  it('is to be added where the plan promises it', () => {
    const planned = [{ path: 'src/models/net.py', signatures: 'def build(x)' }];
    const [assigned] = assignNames([problem, { ...problem, path: 'c.py' }], planned);
    assert.equal(assigned?.path, 'src/models/net.py');
    assert.equal(assigned.symbol, 'build');
    assert.match(assigned.message, /b\.py takes from it/);
    assert.equal(assignNames([problem, { ...problem, path: 'c.py' }], planned).length, 1);
  });

  it('is the caller’s fault where the plan does not', () => {
    const planned = [{ path: 'models/net.py', signatures: 'def rebuild(x); net.build' }];
    assert.deepEqual(assignNames([problem], planned), [problem]);
  });
});

describe('a write that shrinks an accepted file', () => {
  const before = 'x = 1\n'.repeat(20);

  it('is refused below half, unless a reason is stated', () => {
    const after = 'x = 1\n'.repeat(9);
    const [problem] = shrinkProblem('a.py', { before, after, shrinks: '' });
    assert.match(problem?.message ?? '', /has 20 lines that are not blank and this one 9/);
    assert.deepEqual(shrinkProblem('a.py', { before, after, shrinks: 'Moved to b.py.' }), []);
  });

  it('is not refused at half, for a new file or for a short one', () => {
    const half = 'x = 1\n\n'.repeat(10);
    assert.deepEqual(shrinkProblem('a.py', { before, after: half, shrinks: '' }), []);
    assert.deepEqual(shrinkProblem('a.py', { before: null, after: 'x\n', shrinks: '' }), []);
    const short = 'x = 1\n'.repeat(9);
    assert.deepEqual(shrinkProblem('a.py', { before: short, after: 'x\n', shrinks: '' }), []);
  });
});

describe('the difference of two texts', () => {
  it('shows what changed with three lines around it', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const after = lines.with(10, 'new').join('\n');
    assert.equal(
      lineDiff(lines.join('\n'), after),
      '…\n line 7\n line 8\n line 9\n-line 10\n+new\n line 11\n line 12\n line 13\n…'.replace(
        /^…\n/,
        '',
      ),
    );
    assert.equal(lineDiff('x\n'.repeat(3000), 'y\n'.repeat(3000)), undefined);
  });
});
