import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { plainName } from '../../src/diagnostics/ledger.ts';
import type { Blueprint } from '../../src/domain/blueprint.ts';
import { FindingKind } from '../../src/domain/finding.ts';
import { Requirement } from '../../src/domain/requirement.ts';
import { Edits, edited, type Fault, type Repository } from './corpus.ts';

const FOLDER = join(import.meta.dirname, 'fidelity');

/** Who can tell that a mutant is unfaithful to the paper: code alone, or only a reader of paper and code. */
const Decidable = z.enum(['static', 'model']);

/** One clean reproduction with its ledger, and ways of making it unfaithful. */
const Fidelity = z.strictObject({
  /** The clean repository. */
  of: z.string(),
  requirements: z
    .array(
      z.strictObject({
        ...Requirement.pick({ id: true, kind: true, demand: true, quote: true, values: true })
          .shape,
        /** The files that must meet it. */
        owners: z.array(z.string()).min(1),
      }),
    )
    .min(1),
  mutants: z.array(
    z.strictObject({
      id: z.string(),
      what: z.string(),
      /** The requirement that it no longer meets. */
      requirement: z.string(),
      decidable: Decidable,
      /** The kinds of which a finding counts; none where no code can tell. */
      kinds: z.array(FindingKind).default([]),
      edits: Edits,
    }),
  ),
});
type Fidelity = z.infer<typeof Fidelity>;

/** A reproduction that runs and is not what the paper says. */
export interface Unfaithful extends Fault {
  readonly requirement: Requirement;
  readonly decidable: z.infer<typeof Decidable>;
}

/** A clean repository whose plan has a ledger, and what was made of it. */
export interface Reproduction {
  readonly original: Repository;
  readonly mutants: readonly Unfaithful[];
}

/** The reproductions with a ledger. Throws where an edit does not fit, or a mutant names what is not there. */
export async function reproductions(clean: readonly Repository[]): Promise<Reproduction[]> {
  const names = (await readdir(FOLDER)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(FOLDER, name), 'utf8');
      return reproductionOf(Fidelity.parse(parse(text)), clean);
    }),
  );
}

function reproductionOf(fidelity: Fidelity, clean: readonly Repository[]): Reproduction {
  const base = clean.find(({ name }) => name === fidelity.of);
  if (base === undefined) throw new Error(`there is no clean repository ${fidelity.of}`);
  const original = { ...base, blueprint: withLedger(base.blueprint, fidelity) };
  const mutants = fidelity.mutants.map((mutant): Unfaithful => {
    const { id, what, kinds, decidable, edits } = mutant;
    const name = `${base.name}/${id}`;
    const requirement = original.blueprint.requirements.find(
      (one) => one.id === mutant.requirement,
    );
    if (requirement === undefined) throw new Error(`${name}: there is no ${mutant.requirement}`);
    if ((decidable === 'static') !== kinds.length > 0)
      throw new Error(`${name}: what code can tell has kinds, and nothing else has`);
    return {
      ...{ name, source: 'fidelity', what, kinds, paths: ['*'], word: '', requirement, decidable },
      blueprint: original.blueprint,
      tree: edited(name, base.tree, edits),
    };
  });
  return { original, mutants };
}

/** The plan with requirements, their owners, and the values that they state. */
function withLedger(blueprint: Blueprint, { requirements }: Fidelity): Blueprint {
  const stating = (key: string): string[] =>
    requirements
      .filter(({ values }) =>
        values.some((one) => plainName(one.split('=')[0] ?? '') === plainName(key)),
      )
      .map(({ id }) => id);
  return {
    ...blueprint,
    requirements: requirements.map(({ id, kind, demand, quote, values }) =>
      Requirement.parse({ id, kind, demand, quote, values, place: '', scope: 'main' }),
    ),
    files: blueprint.files.map((file) => ({
      ...file,
      owns: requirements.filter(({ owners }) => owners.includes(file.path)).map(({ id }) => id),
    })),
    configuration: blueprint.configuration.map((one) => ({
      ...one,
      requirements: stating(one.key.split('.').at(-1) ?? one.key),
    })),
  };
}
