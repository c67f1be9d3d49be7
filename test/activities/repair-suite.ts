import assert from 'node:assert/strict';
import { createActivities } from '../../src/activities/create-activities.ts';
import { openBlocking } from '../../src/domain/progress.ts';
import { DEFAULT_LIMITS, type Mode } from '../../src/domain/run-settings.ts';
import { RunState } from '../../src/domain/run-state.ts';
import type { ModelRequest } from '../../src/models/model.ts';
import { getJson, getText } from '../../src/store/stored-json.ts';
import { reproducePaper } from '../../src/workflows/loop.ts';
import { directSteps } from '../bench/direct-steps.ts';
import { aProduct, type Product } from '../fakes/product.ts';
import { scriptedModel, type ScriptedModel } from '../fakes/scripted-model.ts';
import { OTHER_TEXTS, REPAIR_PLAN, type CrossFault } from './repair-faults.ts';
import { dutiful } from './written-run.ts';

/**
 * Which try is right: the first repair, the second, a third one, which can only be made in the other file; or none; or
 * both repairs make things worse.
 */
export const COURSES = ['first', 'second', 'third', 'never', 'worse'] as const;
export type Course = (typeof COURSES)[number];
export const MODES: readonly Mode[] = ['fast', 'deepplan'];

/** One way of one fault. */
export interface RepairCase {
  readonly fault: CrossFault;
  readonly course: Course;
  readonly mode: Mode;
}

/** Plays a case to its end and holds it to its bounds, its rollbacks and its outcome. */
export async function playRepairs(given: RepairCase): Promise<void> {
  const script = scriptOf(given);
  const product = await aProduct(script);
  try {
    const record = await product.createRun({ name: 'repairs', mode: given.mode });
    const steps = directSteps(createActivities(product.deps), record);
    const outcome = await reproducePaper(steps);
    const states = await statesOf(product, 'repairs');
    const texts = await textsOf(product, states.at(-1));
    judgeEnd(given, script, { outcome, states, texts });
  } finally {
    await product.end();
  }
}

interface RepairEnd {
  readonly outcome: string;
  /** All that were committed, the first of them first. */
  readonly states: readonly RunState[];
  readonly texts: ReadonlyMap<string, string>;
}

function judgeEnd(
  { fault, course, mode }: RepairCase,
  script: ScriptedModel,
  { outcome, states, texts }: RepairEnd,
): void {
  const { path } = fault;
  const last = states.at(-1);
  assert.ok(last);
  const found = last.findings.find(
    (finding) => finding.kind === fault.kind && finding.path === path,
  );
  assert.ok(found, `No ${fault.kind} was found in ${path}.`);
  const isMended = course === 'first' || course === 'second' || isMendedElsewhere(course, mode);
  assert.equal(outcome, isMended ? 'complete' : 'complete-with-gaps');
  assert.equal(openBlocking(last).length === 0, isMended);
  assert.equal(found.resolvedInRound !== null, isMended);

  const tries = triesOf(script, path);
  const repairs = course === 'first' ? 1 : 2;
  assert.equal(tries.length, repairs + 1, `${path} was written in rounds ${tries.join(', ')}`);
  assert.equal(last.progress[path]?.repairs, repairs);
  assert.deepEqual(found.triedInRounds, tries.slice(1));
  keepsBounds(states, script);
  losesNothing(states);

  const [own, other] = [texts.get(path), texts.get(fault.elsewhere.path)];
  assert.equal(own?.trimEnd(), expectedText(fault, course));
  if (course === 'worse') {
    assert.equal(last.progress[path].revision, 1);
    assert.notDeepEqual(last.progress[path].lastReasons, []);
  }
  if (isMendedElsewhere(course, mode)) assert.equal(other?.trimEnd(), fault.elsewhere.text);
  if (mode === 'deepplan' && repairs === 2 && course !== 'second') showsBoth(script, path, tries);
}

/** What two repairs did not close goes to the planner with both attempts. */
function showsBoth(script: ScriptedModel, path: string, tries: readonly number[]): void {
  const round = (tries.at(-1) ?? 0) + 1;
  const planned = script.requests.find(({ label }) => label.startsWith(`r${round}/plan/`));
  const [, section = ''] = promptOf(planned).split('## Repairs that were tried');
  const tried = section.split('\n## ')[0] ?? '';
  for (const repair of tries.slice(1))
    assert.ok(tried.includes(`${path} in round ${repair}`), tried);
}

/** Repairs of a file, rounds of the gate, and rounds without progress. */
function keepsBounds(states: readonly RunState[], script: ScriptedModel): void {
  for (const { progress, gate, stalledRounds, round } of states) {
    for (const [path, { repairs }] of Object.entries(progress))
      assert.ok(repairs <= DEFAULT_LIMITS.staticRepairs, `${path}: ${repairs} repairs`);
    assert.ok(gate.rounds <= DEFAULT_LIMITS.gateRounds);
    assert.ok(stalledRounds <= DEFAULT_LIMITS.stallRounds);
    assert.ok(round <= 12, `${round} rounds`);
  }
  for (const { path } of REPAIR_PLAN) assert.ok(triesOf(script, path).length <= 3, path);
}

/** What was accepted stays, and a round in which every file was there already adds no blocking finding. */
function losesNothing(states: readonly RunState[]): void {
  states.slice(1).forEach((state, index) => {
    const before = states[index];
    if (!before) return;
    for (const path of Object.keys(before.tree)) assert.ok(state.tree[path], `${path} was lost`);
    const isWhole = Object.keys(state.tree).length === Object.keys(before.tree).length;
    if (!isWhole) return;
    const known = new Set(openBlocking(before).map(({ id }) => id));
    const fresh = openBlocking(state).filter(({ id }) => !known.has(id));
    assert.deepEqual(
      fresh.map(({ message }) => message),
      [],
    );
  });
}

/** The rounds in which a file was written. */
function triesOf({ requests }: ScriptedModel, path: string): number[] {
  const rounds = requests.flatMap(({ label }) => {
    const [, round, named] = /^r(\d+)\/write\/(.+)\/t1$/.exec(label) ?? [];
    return named === path ? [Number(round)] : [];
  });
  return [...new Set(rounds)];
}

function isMendedElsewhere(course: Course, mode: Mode): boolean {
  return course === 'third' && mode === 'deepplan';
}

function expectedText(fault: CrossFault, course: Course): string {
  switch (course) {
    case 'first':
    case 'second':
      return fault.sound;
    case 'third':
    case 'never':
      return attempt(fault, 3);
    case 'worse':
      return attempt(fault, 1);
  }
}

/** The fault as it is tried for the n-th time: always another text. */
function attempt({ path, faulty }: CrossFault, count: number): string {
  return path.endsWith('.md') ? `${faulty}\n\nTry ${count}.` : `${faulty}\n# Try ${count}.`;
}

/** The fault with another one. */
function worse(fault: CrossFault, count: number): string {
  const text = attempt(fault, count);
  if (fault.path.endsWith('.py')) return `from src.worse import away\n${text}\n\n\nAWAY = away`;
  if (fault.path.endsWith('.sh')) return `${text}\npython src/worse.py`;
  return `${text}\n\n\`\`\`bash\npython src/worse.py\n\`\`\``;
}

function contentOf(fault: CrossFault, course: Course, count: number): string {
  if (count === 1) return attempt(fault, count);
  if (course === 'worse') return worse(fault, count);
  const right = { first: 2, second: 3, third: 4, never: Infinity }[course];
  return count >= right ? fault.sound : attempt(fault, count);
}

function scriptOf({ fault, course, mode }: RepairCase): ScriptedModel {
  const { path, elsewhere } = fault;
  const rounds = new Set<string>();
  let isElsewhere = false;
  return scriptedModel((request) => {
    const { label } = request;
    if (label.includes('/plan/') && isMendedElsewhere(course, mode)) {
      const isBroken = promptOf(request).includes(`- ${path}: broken`);
      if (isBroken && !isElsewhere) {
        isElsewhere = true;
        return mendElsewhere(elsewhere.path);
      }
    }
    const [, round = '', written, turn] = /^r(\d+)\/write\/(.+)\/t(\d+)/.exec(label) ?? [];
    if (written === undefined) return dutiful(request, REPAIR_PLAN);
    // Told what else is wrong, it lets its file be.
    if (mode === 'deepplan' && turn !== '1') return '@done';
    if (written === path) {
      rounds.add(round);
      return write(path, contentOf(fault, course, rounds.size));
    }
    if (isElsewhere && written === elsewhere.path) return write(written, elsewhere.text);
    const other = OTHER_TEXTS.get(written);
    return other === undefined ? dutiful(request, REPAIR_PLAN) : write(written, other);
  });
}

function mendElsewhere(path: string): string {
  const isNew = REPAIR_PLAN.every((file) => file.path !== path);
  return [
    '@round',
    'rationale: The cause is in another file.',
    'wrong: none',
    `@target ${path}`,
    'reason: two repairs of the other file did not close it',
    ...(isNew ? [`@file ${path}`, 'purpose: what is missing', 'because: it is used'] : []),
    '@done',
  ].join('\n');
}

function write(path: string, text: string): string {
  return `@write ${path}\n\`\`\`\`\n${text}\n\`\`\`\`\n@met\nnone\n@doubts\nnone\n@done`;
}

function promptOf(request: ModelRequest | undefined): string {
  return (request?.messages ?? []).map(({ content }) => content).join('\n');
}

async function statesOf({ deps }: Product, run: string): Promise<RunState[]> {
  const states: RunState[] = [];
  let ref = (await deps.folders.read(run)).head?.stateRef ?? null;
  while (ref) {
    const state: RunState = await getJson(deps.store, RunState, ref);
    states.unshift(state);
    ref = state.previous;
  }
  return states;
}

async function textsOf(
  { deps }: Product,
  state: RunState | undefined,
): Promise<ReadonlyMap<string, string>> {
  const texts = Object.entries(state?.tree ?? {}).map(
    async ([path, ref]) => [path, await getText(deps.store, ref)] as const,
  );
  return new Map(await Promise.all(texts));
}
