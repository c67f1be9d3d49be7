import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { Blueprint } from '../../src/domain/blueprint.ts';
import { Experiment } from '../../src/domain/experiment.ts';
import { FindingKind } from '../../src/domain/finding.ts';
import { aFile } from '../fakes/builders.ts';

const HERE = import.meta.dirname;

/** A repository as text by path. */
export type Tree = ReadonlyMap<string, string>;

/** A repository and the plan that it is checked against. */
export interface Repository {
  readonly name: string;
  readonly tree: Tree;
  readonly blueprint: Blueprint;
}

/** One fault in one repository, and what a finding must say to count as having found it. */
export interface Fault extends Repository {
  /** `hand`, or the operator that made it. */
  readonly source: string;
  readonly what: string;
  /** The kinds of which a finding counts; the first is the fault's own. */
  readonly kinds: readonly FindingKind[];
  /** The files at which a finding counts; `*` is any. */
  readonly paths: readonly string[];
  /** What its symbol or message must contain; empty for anything. */
  readonly word: string;
}

const Plan = z.strictObject({
  experiments: z
    .array(z.strictObject({ question: z.string().default(''), ...omit(Experiment.shape) }))
    .default([]),
  configuration: z.array(z.strictObject({ key: z.string(), value: z.string() })).default([]),
});
type Plan = z.infer<typeof Plan>;

function omit({ id, title, axes, measures, command }: typeof Experiment.shape) {
  return { id, title, axes, measures, command };
}

const texts = z.record(z.string(), z.string()).default({});
const byExperiment = <T extends z.ZodType>(value: T) => z.record(z.string(), value).default({});

/** Every occurrence of `find` is replaced; there must be one. */
export const Edits = z
  .array(z.strictObject({ path: z.string(), find: z.string(), replace: z.string() }))
  .default([]);

const Planted = z.strictObject({
  what: z.string(),
  of: z.string(),
  kinds: z.array(FindingKind).min(1),
  paths: z.array(z.string()).min(1),
  word: z.string().default(''),
  /** Files to be moved, new path by old. */
  move: texts,
  edits: Edits,
  write: texts,
  /** The file ends after the first occurrence of this text. */
  cut: texts,
  /** Files that are planned and not there. */
  planned: z.array(z.string()).default([]),
  command: byExperiment(Experiment.shape.command),
  axes: byExperiment(Experiment.shape.axes),
  measures: byExperiment(Experiment.shape.measures),
});
type Planted = z.infer<typeof Planted>;

/** The repositories without a fault. */
export async function cleanRepositories(): Promise<Repository[]> {
  const names = (await readdir(join(HERE, 'clean'))).sort();
  return Promise.all(
    names.map(async (name) => {
      const tree = await treeAt(join(HERE, 'clean', name, 'repo'));
      return { name, tree, blueprint: blueprintOf(await planAt(name), [...tree.keys()]) };
    }),
  );
}

/** The faults written by hand, each applied to its clean repository. Throws where an edit does not fit. */
export async function plantedFaults(clean: readonly Repository[]): Promise<Fault[]> {
  const names = (await readdir(join(HERE, 'planted'))).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(HERE, 'planted', name), 'utf8');
      return planted(name.replace(/\.yaml$/, ''), Planted.parse(parse(text)), clean);
    }),
  );
}

function planted(name: string, fault: Planted, clean: readonly Repository[]): Fault {
  const base = clean.find((one) => one.name === fault.of);
  if (base === undefined) throw new Error(`${name}: there is no clean repository ${fault.of}`);
  const moved = new Map(base.tree);
  for (const [from, to] of Object.entries(fault.move)) {
    moved.set(to, textAt(moved, from));
    moved.delete(from);
  }
  const tree = edited(name, moved, fault.edits);
  for (const [path, text] of Object.entries(fault.write)) tree.set(path, text);
  for (const [path, mark] of Object.entries(fault.cut)) {
    const at = textAt(tree, path).indexOf(mark);
    if (at < 0) throw new Error(`${name}: ${path} has no ${mark}`);
    tree.set(path, textAt(tree, path).slice(0, at + mark.length));
  }
  const experiments = base.blueprint.experiments.map((experiment) => ({
    ...experiment,
    command: fault.command[experiment.id] ?? experiment.command,
    axes: fault.axes[experiment.id] ?? experiment.axes,
    measures: fault.measures[experiment.id] ?? experiment.measures,
  }));
  const blueprint = blueprintOf({ experiments, configuration: base.blueprint.configuration }, [
    ...tree.keys(),
    ...fault.planned,
  ]);
  const { what, kinds, paths, word } = fault;
  return { name, source: 'hand', what, kinds, paths, word, tree, blueprint };
}

/** A tree with edits. Throws, with the name, where one does not fit. */
export function edited(
  name: string,
  base: Tree,
  edits: z.infer<typeof Edits>,
): Map<string, string> {
  const tree = new Map(base);
  for (const { path, find, replace } of edits) {
    const parts = textAt(tree, path).split(find);
    if (parts.length < 2) throw new Error(`${name}: ${path} has no ${find}`);
    tree.set(path, parts.join(replace));
  }
  return tree;
}

/** The text at a path. Throws when there is none. */
export function textAt(tree: Tree, path: string): string {
  const text = tree.get(path);
  if (text === undefined) throw new Error(`there is no ${path}`);
  return text;
}

/** The same plan for a tree of other paths. */
export function replanned(blueprint: Blueprint, paths: readonly string[]): Blueprint {
  return blueprintOf(blueprint, paths);
}

/** A repository that no plan was made for: its files are all there is to it. */
export function unplanned(name: string, tree: Tree): Repository {
  return {
    name,
    tree,
    blueprint: blueprintOf({ experiments: [], configuration: [] }, [...tree.keys()]),
  };
}

function blueprintOf(
  { experiments, configuration }: Plan | Blueprint,
  paths: readonly string[],
): Blueprint {
  return Blueprint.parse({
    schemaVersion: 1,
    title: 'A small reproduction',
    summary: '',
    files: paths.map((path) => aFile({ path, signatures: '', expectedLines: 20 })),
    experiments,
    requirements: [],
    configuration: configuration.map(({ key, value }) => ({
      key,
      value,
      requirement: null,
      reason: 'inferred',
    })),
    methodCards: [],
    dataFlow: '',
    environment: { python: '3.11', packages: [], notes: '' },
    validation: '',
  });
}

async function planAt(name: string): Promise<Plan> {
  const path = join(HERE, 'clean', name, 'blueprint.yaml');
  const text = await readFile(path, 'utf8').catch(() => '{}');
  return Plan.parse(parse(text));
}

async function treeAt(root: string): Promise<Tree> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const pairs = paths.map(
    async (path) => [path.slice(root.length + 1), await readFile(path, 'utf8')] as const,
  );
  return new Map(await Promise.all(pairs));
}
