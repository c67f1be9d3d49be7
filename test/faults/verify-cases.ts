import { randomInt } from 'node:crypto';
import { createActivities } from '../../src/activities/create-activities.ts';
import type { Deps } from '../../src/activities/deps.ts';
import { begin } from '../../src/domain/advance.ts';
import { Verification } from '../../src/domain/verification.ts';
import { getJson, putJson } from '../../src/store/stored-json.ts';
import { inContext } from '../bench/direct-steps.ts';
import type { Product } from '../fakes/product.ts';
import type { PaperCase } from './paper-cases.ts';

/** What the verifier made of one case. */
export interface VerifiedCase {
  readonly of: PaperCase;
  readonly found: Verification;
}

/** Has the verifier judge cases as the gate would, a run each, in the order given. */
export async function verifyCases(
  product: Product,
  cases: readonly PaperCase[],
): Promise<VerifiedCase[]> {
  return Promise.all(cases.map((each, index) => verifyCase(product, each, index)));
}

async function verifyCase(product: Product, of: PaperCase, index: number): Promise<VerifiedCase> {
  const { deps } = product;
  // Names say nothing of what was changed.
  const run = await product.createRun({ name: `case-${index}`, paper: of.paper });
  const activities = createActivities(deps);
  const call = { schemaVersion: 1 as const, run: run.name, incarnation: 1, settings: run.settings };
  const { paper } = await inContext(() => activities.readPaper(call));
  const blueprint = await putJson(deps.store, of.blueprint);
  const state = {
    ...begin({ settings: run.settings, paper, blueprint }),
    tree: await storedTree(deps, of.tree),
  };
  const { verification } = await inContext(async () =>
    activities.verifyRequirements({
      ...{ ...call, allowance: 0, blueprint, round: 1, results: [], subplan: null },
      scope: 'gate',
      stateRef: await putJson(deps.store, state),
    }),
  );
  return { of, found: await getJson(deps.store, Verification, verification) };
}

async function storedTree({ store }: Deps, tree: PaperCase['tree']) {
  const files = [...tree].map(async ([path, text]) => [path, await store.put(text)] as const);
  return Object.fromEntries(await Promise.all(files));
}

/** In an order that says nothing. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  const left = [...items];
  const order: Item[] = [];
  while (left.length > 0) order.push(...left.splice(randomInt(left.length), 1));
  return order;
}

/** How well verdicts agree with what was changed: changes told at a broken demand, and those called met; and what was told besides. */
export interface Agreement {
  readonly found: readonly string[];
  readonly falselyMet: readonly string[];
  readonly undecided: readonly string[];
  readonly falseAlarms: readonly string[];
}

export function agreementOf(verified: readonly VerifiedCase[]): Agreement {
  const verdictOn = ({ found }: VerifiedCase, id: string) =>
    found.requirements.find((each) => each.id === id)?.verdict;
  const mutants = verified.filter(({ of }) => of.breaks.length > 0);
  const isFound = (each: VerifiedCase): boolean =>
    each.of.breaks.some((id) => ['partly', 'missing'].includes(verdictOn(each, id) ?? ''));
  const isMet = (each: VerifiedCase): boolean =>
    each.of.breaks.every((id) => verdictOn(each, id) === 'met');
  const nameOf = ({ of }: VerifiedCase): string => of.name;
  return {
    found: mutants.filter(isFound).map(nameOf),
    falselyMet: mutants.filter(isMet).map(nameOf),
    undecided: mutants.filter((each) => !isFound(each) && !isMet(each)).map(nameOf),
    falseAlarms: verified.flatMap((each) =>
      each.found.requirements
        .filter(({ id, verdict }) => verdict !== 'met' && !each.of.breaks.includes(id))
        .map(({ id, found }) => `${each.of.name} ${id}: ${found}`),
    ),
  };
}
