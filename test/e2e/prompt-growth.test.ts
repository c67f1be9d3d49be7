import assert from 'node:assert/strict';
import { LEAST_REPEATED as LEAST_REPEATED_DEEP, MOST_OF_FAST } from '../bench/deepplan.ts';
import { PLANS, withLeaves } from '../bench/plans.ts';
import {
  growthPerFile,
  recordRequests,
  repeatedCharacters,
  repeatedShare,
  totalCharacters,
} from '../bench/prompt-growth.ts';
import { recordLongRun, recordVerifiedRun } from '../bench/prompt-parts.ts';

/** What one further file may add to the prompt of a file that has nothing to do with it. */
const MOST_CHARACTERS_PER_FILE = 160;
/** What doubling the files may multiply all prompts by: they grow with the files, not with their square. */
const MOST_GROWTH = 2.1;
/** Less means that something that changes from call to call has moved before the paper or the plan. */
const LEAST_REPEATED = 0.8;
/** For 14 files on a paper of 65,000 characters: what a run may send, and how much of it must begin an earlier request. */
const MOST_OF_LONG_RUN = 2_500_000;
const LEAST_OF_LONG_RUN_REPEATED = 0.7;

/** The same for verifying them once, at the gate. */
const MOST_OF_VERIFYING = 600_000;
const LEAST_OF_VERIFYING_REPEATED = 0.45;

describe('what models are asked, in all', () => {
  it('stays within its bound for a long paper', async () => {
    const requests = await recordLongRun();
    const total = totalCharacters(requests);
    assert.ok(total <= MOST_OF_LONG_RUN, `The long run sends ${total} characters.`);
    const { byCharacter } = repeatedShare(requests);
    assert.ok(byCharacter >= LEAST_OF_LONG_RUN_REPEATED, `Only ${byCharacter} is repeated.`);
  });

  it('stays within its bound where a model plans the rounds', async () => {
    const fast = totalCharacters(await recordLongRun());
    const requests = await recordLongRun('deepplan');
    const times = totalCharacters(requests) / fast;
    assert.ok(times <= MOST_OF_FAST, `Deepplan sends ${times} times what fast mode does.`);
    const { byCharacter } = repeatedShare(requests);
    assert.ok(byCharacter >= LEAST_REPEATED_DEEP, `Only ${byCharacter} is repeated.`);
  });

  it('stays within its bound where all of the repository is verified at the gate', async () => {
    const { before, verifying, undecided } = await recordVerifiedRun();
    assert.deepEqual(undecided, []);
    const total = totalCharacters(verifying);
    assert.ok(total <= MOST_OF_VERIFYING, `Verifying sends ${total} characters.`);
    const all = repeatedCharacters([...before, ...verifying]).slice(before.length);
    const repeated = all.reduce((sum, each) => sum + each, 0) / total;
    assert.ok(
      repeated >= LEAST_OF_VERIFYING_REPEATED,
      `Only ${repeated} of ${total} characters is repeated.`,
    );
  });

  it('grows by one line of the outline for each further file that is no dependency', async () => {
    const few = await recordRequests(PLANS.plan12);
    const more = await recordRequests(withLeaves(PLANS.plan12, 12));
    const growth = growthPerFile(few, more, 12);
    assert.deepEqual([...growth.keys()].sort(), PLANS.plan12.files.map(({ path }) => path).sort());
    for (const [path, characters] of growth) {
      const told = `The prompt of ${path} grows by ${characters} characters a file.`;
      assert.ok(characters > 0 && characters <= MOST_CHARACTERS_PER_FILE, told);
    }
  });

  it('about doubles when the files do, and mostly repeats the beginning of an earlier request', async () => {
    const twelve = await recordRequests(PLANS.plan12);
    const twice = await recordRequests(PLANS.plan24);
    const growth = totalCharacters(twice) / totalCharacters(twelve);
    assert.ok(growth <= MOST_GROWTH, `All prompts together grow by the factor ${growth}.`);
    for (const requests of [twelve, twice]) {
      const { byMessage, byCharacter } = repeatedShare(requests);
      assert.ok(
        byMessage >= LEAST_REPEATED,
        `${byMessage} of all characters repeat whole messages.`,
      );
      assert.ok(byCharacter >= byMessage);
    }
  });
});
