import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createActivities } from '../../src/activities/create-activities.ts';
import type { Deps } from '../../src/activities/deps.ts';
import type { Blueprint } from '../../src/domain/blueprint.ts';
import type { Event } from '../../src/domain/event.ts';
import type { ModelReply } from '../../src/domain/message.ts';
import type { At, Target, TargetResult } from '../../src/domain/round.ts';
import { DEFAULT_LIMITS } from '../../src/domain/run-settings.ts';
import type { RunState } from '../../src/domain/run-state.ts';
import type { ToolUse } from '../../src/domain/tool-use.ts';
import { viewOf } from '../../src/domain/view.ts';
import type { ModelRequest } from '../../src/models/model.ts';
import { getText, putJson } from '../../src/store/stored-json.ts';
import { writeFile } from '../../src/workflows/write-file.ts';
import type { Steps } from '../../src/workflows/loop.ts';
import { directSteps } from '../bench/direct-steps.ts';
import { aRecord } from '../fakes/a-record.ts';
import { aBlueprint, aFile, aPaper } from '../fakes/builders.ts';
import { depsFor } from '../fakes/product.ts';
import { scriptedModel, type ScriptedAnswer } from '../fakes/scripted-model.ts';
import { aState } from '../fakes/states.ts';

export const PATH = 'run_tasks.py';

/** The file that the target needs. */
export const NEEDED = `"""Sums."""


def gated_sum(values: list[float], weight: float) -> float:
    """Equation (1)."""
    return sum(value * weight for value in values)
`;

/** A file that nothing is wrong with. */
export const SOUND = `"""Runs E1."""
from src.gated_sum import gated_sum


def main(argv: list[str]) -> None:
    """Prints a sum."""
    print(gated_sum([float(each) for each in argv], 0.5))
`;

/** A way in which models use tools. */
export type Protocol = 'calls' | 'text';
export const PROTOCOLS: readonly Protocol[] = ['calls', 'text'];

/** A reply that uses tools in one of the ways. */
export function using(protocol: Protocol, uses: readonly ToolUse[]): Partial<ModelReply> {
  if (protocol === 'text') return { text: [...uses.map(inText), '@done'].join('\n') };
  return {
    toolCalls: uses.map(({ name, ...rest }, index) => ({
      id: `call_${index}`,
      name,
      arguments: JSON.stringify(rest),
    })),
  };
}

function inText(use: ToolUse): string {
  switch (use.name) {
    case 'read_file':
      return `@read ${use.path}${use.from ? ` ${use.from}${use.to ? `-${use.to}` : ''}` : ''}`;
    case 'search_repository':
      return `@search ${use.path ? `in:${use.path} ` : ''}${use.words}`;
    case 'read_paper':
      return `@paper ${use.query}${use.from ? ` from ${use.from}` : ''}`;
    case 'write_file':
      return `@write ${use.path}\n\`\`\`\`python\n${use.content}\`\`\`\`\n@met\nnone\n@doubts\nnone${use.shrinks ? `\n@shrinks ${use.shrinks}` : ''}`;
    case 'edit_file':
      return [
        `@edit ${use.path}`,
        ...use.edits.map(
          ({ search, replace }) =>
            `\`\`\`\`\n${search}\n\`\`\`\`\n\`\`\`\`\n${replace === '' ? '' : `${replace}\n`}\`\`\`\``,
        ),
      ].join('\n');
    case 'check_file':
      return '@check';
  }
}

export function write(content: string, path = PATH): ToolUse {
  return { name: 'write_file', path, content };
}

export function read(path: string): ToolUse {
  return { name: 'read_file', path };
}

export const CHECK: ToolUse = { name: 'check_file' };

/** What became of one file, and what was said. */
export interface BenchEnd {
  readonly result: TargetResult;
  /** The text that was accepted or tried last. */
  readonly text: string | null;
  readonly requests: readonly ModelRequest[];
  readonly events: readonly Event[];
  readonly deps: Deps;
}

/** Where the file is written; by default a new file whose needs are written. */
export interface BenchWish {
  readonly texts?: Readonly<Record<string, string>>;
  readonly state?: Partial<RunState>;
  readonly blueprint?: Blueprint;
  readonly turns?: number;
  readonly steps?: (steps: Steps) => Steps;
  /** Looks at what is stored before it is removed. */
  readonly inspect?: (end: BenchEnd) => Promise<void>;
}

const TEXTS = { 'configs/default.yaml': 'train:\n  lr: 0.0003\n', 'src/gated_sum.py': NEEDED };

/** Writes one file in deepplan, in this process, on real folders. Beyond the last answer the model has nothing to say. */
export async function writtenAtBench(
  answers: readonly ScriptedAnswer[] | ((request: ModelRequest) => ScriptedAnswer),
  wish: BenchWish = {},
): Promise<BenchEnd> {
  const home = await mkdtemp(join(tmpdir(), 'deeprepro-bench-'));
  let asked = 0;
  const model = scriptedModel((request) =>
    typeof answers === 'function' ? answers(request) : (answers[asked++] ?? '@done'),
  );
  try {
    const deps = await depsFor(home, model);
    const { at, record } = await stand(deps, wish);
    const steps = directSteps(createActivities(deps), record);
    const target: Target = { path: PATH, needs: [], turns: wish.turns ?? 12 };
    const plan = { subplan: at.stateRef, targets: [target], blueprint: null };
    const result = await writeFile(wish.steps?.(steps) ?? steps, { at, plan, target, needed: [] });
    const file = result.kind === 'written' ? result.file : result.lastAttempt;
    const text = file && (await getText(deps.store, file));
    const events = await deps.folders.events(record.name);
    const end = { result, text, requests: model.requests, events, deps };
    await wish.inspect?.(end);
    return end;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function stand(deps: Deps, wish: BenchWish) {
  const { store } = deps;
  const content = await store.put('the paper');
  const task = await putJson(store, {
    ...{ schemaVersion: 1, paper: { name: 'paper.md', content } },
    ...{ supplements: [], figures: [], userRequests: [] },
  });
  const price = { input: 0, cached: 0, output: 0 };
  const choice = { model: 'scripted', baseUrl: 'http://127.0.0.1:9/v1', keyEnv: 'KEY', price };
  const roles = ['analysis', 'planner', 'executor', 'memory', 'judge', 'vision'];
  const settings = await putJson(store, {
    ...{ schemaVersion: 1, seed: '0'.repeat(32), task, mode: 'deepplan', unit: 'usd' },
    models: Object.fromEntries(roles.map((role) => [role, choice])),
    ...{ maxOutputTokens: 8_000, limits: DEFAULT_LIMITS },
  });
  const record = aRecord({ name: 'bench', settings });
  await deps.folders.create(record);
  const texts = Object.entries(wish.texts ?? TEXTS);
  const tree = Object.fromEntries(
    await Promise.all(texts.map(async ([path, text]) => [path, await store.put(text)] as const)),
  );
  const plan = withAll(wish.blueprint ?? aBlueprint({ experiments: [] }), Object.keys(tree));
  const paper = await putJson(store, aPaper());
  const blueprint = await putJson(store, plan);
  const state = aState({ settings, paper, blueprint, tree, ...wish.state });
  const stateRef = await putJson(store, state);
  const at: At = { stateRef, blueprint, view: viewOf(state, plan, DEFAULT_LIMITS, null) };
  return { at, record };
}

/** The plan with every written file in it: what no plan names is not there for a writer. */
function withAll(plan: Blueprint, written: readonly string[]): Blueprint {
  const planned = new Set(plan.files.map(({ path }) => path));
  const others = written.filter((path) => !planned.has(path)).map((path) => aFile({ path }));
  return { ...plan, files: [...plan.files, ...others] };
}
