import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Blueprint } from '../../src/domain/blueprint.ts';
import { Requirement } from '../../src/domain/requirement.ts';
import { cleanRepositories, textAt, type Repository, type Tree } from './corpus.ts';

const FOLDER = join(import.meta.dirname, 'papers');

const Edit = z.strictObject({ path: z.string(), find: z.string(), replace: z.string() });

/** A small paper for a clean repository: its demands, and changes of the code that no longer do what it says. */
const PaperOf = z.strictObject({
  paper: z.string(),
  requirements: z.array(
    z.strictObject({
      ...Requirement.pick({ id: true, kind: true, demand: true, place: true, values: true }).shape,
      owners: z.array(z.string()).min(1),
    }),
  ),
  mutants: z.array(
    z.strictObject({
      name: z.string(),
      what: z.string(),
      /** The demands that it no longer meets. */
      breaks: z.array(z.string()).min(1),
      edits: z.array(Edit).min(1),
    }),
  ),
});

/** A repository with the paper that it reproduces. `breaks` is empty for one without a fault. */
export interface PaperCase extends Repository {
  readonly of: string;
  readonly paper: string;
  readonly what: string;
  readonly breaks: readonly string[];
}

/** The clean repositories that have a paper, and each of their mutants. Throws where an edit does not fit. */
export async function paperCases(): Promise<PaperCase[]> {
  const clean = await cleanRepositories();
  const names = (await readdir(FOLDER)).map((name) => name.replace(/\.yaml$/, '')).sort();
  const cases = names.map(async (name): Promise<PaperCase[]> => {
    const base = clean.find((one) => one.name === name);
    if (base === undefined) throw new Error(`There is no clean repository ${name}.`);
    const text = await readFile(join(FOLDER, `${name}.yaml`), 'utf8');
    const { paper, requirements, mutants } = PaperOf.parse(parse(text));
    const blueprint = withLedger(base.blueprint, requirements);
    const whole: PaperCase = { ...base, blueprint, of: name, paper, what: '', breaks: [] };
    return [
      whole,
      ...mutants.map(({ name: mutant, what, breaks, edits }): PaperCase => {
        const tree = edits.reduce((current, edit) => edited(mutant, current, edit), base.tree);
        return { ...whole, name: mutant, what, breaks, tree };
      }),
    ];
  });
  return (await Promise.all(cases)).flat();
}

function edited(name: string, tree: Tree, { path, find, replace }: z.infer<typeof Edit>): Tree {
  const parts = textAt(tree, path).split(find);
  if (parts.length !== 2) throw new Error(`${name}: ${path} has ${parts.length - 1} times ${find}`);
  return new Map([...tree, [path, parts.join(replace)]]);
}

function withLedger(
  blueprint: Blueprint,
  rows: z.infer<typeof PaperOf>['requirements'],
): Blueprint {
  return {
    ...blueprint,
    files: blueprint.files.map((file) => ({
      ...file,
      owns: rows.filter(({ owners }) => owners.includes(file.path)).map(({ id }) => id),
    })),
    requirements: rows.map(({ owners: _owners, ...row }) => ({
      ...row,
      quote: '',
      otherPlaces: [],
      scope: 'main' as const,
    })),
  };
}
