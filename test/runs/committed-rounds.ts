import { begin } from '../../src/domain/advance.ts';
import type { Finding } from '../../src/domain/finding.ts';
import type { Ref } from '../../src/domain/ref.ts';
import type { Guidance, Subplan } from '../../src/domain/round.ts';
import { RunState } from '../../src/domain/run-state.ts';
import { getJson, putJson } from '../../src/store/stored-json.ts';
import { aBlueprint } from '../fakes/builders.ts';
import type { Bench } from './a-run.ts';

/** What a round leaves besides its files. */
export interface RoundOutcome {
  readonly name?: string;
  readonly findings?: readonly Finding[];
  /** Ends the run with this report. */
  readonly report?: string;
  /** What a model's subplan said to the round. */
  readonly guidance?: Pick<Guidance, 'rationale' | 'amendments'>;
}

/** Commits a round after which the tree holds exactly these files; resolves to the state's reference. */
export async function commitRound(
  { ports: { store, folders } }: Bench,
  files: Readonly<Record<string, string>>,
  { name = 'my-paper', findings, report, guidance }: RoundOutcome = {},
): Promise<Ref> {
  const { head, settings } = await folders.read(name);
  const blueprint = await putJson(store, aBlueprint());
  const entries: [string, Ref][] = [];
  for (const [path, text] of Object.entries(files)) entries.push([path, await store.put(text)]);
  const before = head
    ? await getJson(store, RunState, head.stateRef)
    : begin({ settings, paper: settings, blueprint });
  const state: RunState = {
    ...before,
    round: before.round + 1,
    commits: before.commits + 1,
    previous: head?.stateRef ?? (await putJson(store, before)),
    tree: Object.fromEntries(entries),
    findings: [...(findings ?? before.findings)],
    ...(guidance && { subplan: await putJson(store, aSubplan(before.round + 1, guidance)) }),
  };
  const stateRef = await putJson(store, state);
  const kept = report === undefined ? null : await store.put(report);
  await folders.update(name, (record) => ({
    ...record,
    head: { stateRef, blueprint, view: { ...A_VIEW, round: state.round, commits: state.commits } },
    ...(kept === null ? {} : { report: kept, outcome: 'complete' }),
  }));
  return stateRef;
}

function aSubplan(round: number, told: NonNullable<RoundOutcome['guidance']>): Subplan {
  const guidance = { assignments: {}, acceptanceChecks: [], corrections: [], ...told };
  return {
    schemaVersion: 1,
    round,
    targets: [],
    guidance: { ...guidance, amendments: [...told.amendments] },
  };
}

const A_VIEW = {
  round: 1,
  commits: 1,
  files: { planned: 0, written: 2, broken: 0, retired: 0 },
  next: null,
  openBlocking: [],
  openBlockingCount: 0,
  withoutNotes: [],
  stop: null,
};
