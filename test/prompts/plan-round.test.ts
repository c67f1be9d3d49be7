import assert from 'node:assert/strict';
import type { SubplanContext } from '../../src/domain/subplan-context.ts';
import { buildSubplanContext } from '../../src/domain/subplan-context.ts';
import { DEFAULT_LIMITS } from '../../src/domain/run-settings.ts';
import { planRound } from '../../src/prompts/plan-round.ts';
import { aSubplanContext } from '../fakes/a-subplan-context.ts';
import { aBlueprint, aFinding, aPaper } from '../fakes/builders.ts';
import { aState } from '../fakes/states.ts';

/** What a state may add to the planner's request, however much went wrong. */
const MOST_CHARACTERS = 100_000;

function stateText(context: SubplanContext): string {
  return planRound(context).messages.at(-1)?.content ?? '';
}

describe('the request for a round', () => {
  it('stays bounded when hundreds of findings were tried to be repaired', () => {
    const files = Array.from({ length: 40 }, (_, index) => `src/part_${index}.py`);
    const findings = files.flatMap((path) =>
      Array.from({ length: 40 }, (_, index) =>
        aFinding({ id: `${path} ${index}`, path, symbol: `name_${index}`, triedInRounds: [1, 2] }),
      ),
    );
    const attempts = files.flatMap((path) =>
      [1, 2].map((round) => ({
        path,
        round,
        change: 'x = 1\n'.repeat(800),
        reasons: [],
        isKept: true,
      })),
    );
    const context = buildSubplanContext(
      {
        ...{ paper: aPaper(), userRequests: [], blueprint: aBlueprint(), limits: DEFAULT_LIMITS },
        ...{ state: { ...aState(), findings }, memory: new Map(), imports: new Map() },
        ...{ attempts, lastRounds: [], lines: new Map() },
      },
      { isPaperShown: true, share: 1 },
    );
    const text = stateText(context);
    assert.ok(text.length <= MOST_CHARACTERS, `It has ${text.length} characters.`);
    assert.match(text, /^And \d+ more, in src\/part_0\.py, .* and \d+ more\.$/m);
    for (const path of files) assert.ok(text.includes(`- ${path}: blocking`), path);
    // The latest try at a repair teaches most.
    assert.ok(text.includes('in round 2 (kept') && !text.includes('in round 1 (kept'));
  });

  it('begins as the last round’s did, up to the signatures of what was written since', () => {
    const fileOf = (path: string, name: string) => ({
      path,
      interface: `def ${name}() -> None`,
      facts: '',
      notes: `It is ${name}.`,
      doubts: '',
    });
    const earlier = { ...aSubplanContext(), remembered: [fileOf('src/a.py', 'a')] };
    const later = {
      ...earlier,
      round: earlier.round + 1,
      remembered: [{ ...fileOf('src/a.py', 'a'), notes: '' }, fileOf('src/b.py', 'b')],
    };
    const [one, other] = [earlier, later].map(stateText);
    const shared = one?.slice(0, one.indexOf('\n\n# The state')) ?? '';
    assert.ok(shared.includes('def a() -> None'));
    assert.ok(other?.startsWith(shared));
  });

  it('says once why a kind of finding matters', () => {
    const findings = ['a', 'b', 'c'].map((id) => aFinding({ id, symbol: id }));
    const text = stateText({ ...aSubplanContext(), findings });
    assert.equal(text.split('Why it matters:').length, 2);
  });
});
