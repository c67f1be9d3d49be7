import type { Experiment } from '../domain/experiment.ts';
import type { Problem } from '../domain/finding.ts';
import { checkAffixes } from './check-affixes.ts';
import { assignedAttributes, checkAttributes } from './check-attributes.ts';
import { checkCalls } from './check-calls.ts';
import { checkCycles } from './check-cycles.ts';
import { checkEntryPoints } from './check-entry-points.ts';
import { checkFile } from './check-file.ts';
import { checkHollow } from './check-hollow.ts';
import { checkFlags, checkUnreadFlags } from './check-flags.ts';
import { checkHyperParameters } from './check-hparams.ts';
import { checkIdle } from './check-idle.ts';
import { checkImports } from './check-imports.ts';
import { checkLayout } from './check-layout.ts';
import { checkMatrix } from './check-matrix.ts';
import { checkMeasures } from './check-measures.ts';
import { checkReach } from './check-reach.ts';
import { checkRegistries } from './check-registries.ts';
import { checkResorts } from './check-resorts.ts';
import { checkSettings } from './check-settings.ts';
import { checkLint } from './check-lint.ts';
import { checkMembers } from './check-members.ts';
import { checkPackages } from './check-packages.ts';
import { checkOperations } from './check-operations.ts';
import { checkNamedKeys } from './check-named-keys.ts';
import { checkNamedFiles } from './check-named-files.ts';
import { checkSplit } from './check-split.ts';
import { checkStart } from './check-start.ts';
import { checkShadowing } from './check-shadowing.ts';
import { checkUndefined } from './check-undefined.ts';
import { checkValues } from './check-values.ts';
import { readFamilies } from './class-family.ts';
import { indexCode } from './code-index.ts';
import { type Ledger, NO_LEDGER } from './ledger.ts';
import { mapModules } from './module-map.ts';
import type { ParsedFile } from './parsed-file.ts';
import { gather } from './sightings.ts';
import { readToldCommands } from './told-commands.ts';

/** A repository to be checked. */
export interface CheckedTree {
  /** The files that are written, by path. */
  readonly files: ReadonlyMap<string, ParsedFile>;
  /** Files still to be written: importing from these is no problem yet. */
  readonly planned: readonly string[];
  /** The experiment matrix that the repository is to carry out; none where there is no plan. */
  readonly experiments?: readonly Experiment[];
  /** What the plan promises of values and files; nothing where there is no plan. */
  readonly ledger?: Ledger;
}

/**
 * Everything that is wrong with a repository as far as its texts tell, in a stable order.
 * Where a file is planned, broken or dynamic, its names can't be known and nothing is reported about them.
 */
export function checkTree({
  files,
  planned,
  experiments = [],
  ledger = NO_LEDGER,
}: CheckedTree): Problem[] {
  const commands = experiments.map(({ id, command }) => ({ experiment: id, command }));
  const sorted = [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const map = mapModules(new Map(sorted.map((file) => [file.path, file])), planned);
  const assigned = assignedAttributes(sorted);
  const index = indexCode(map);
  const families = readFamilies(index);
  const commandsTold = readToldCommands(map, commands);
  const { undefinedKeys, unusedKeys, unusedFields } = checkSettings(map, planned, commandsTold);
  const values = checkValues(map, planned, { ledger, unusedKeys, commands: commandsTold });
  // A key that a literal stands in for is told with the literal.
  const told = new Set(values.map(({ unread }) => unread));
  const sightings = sorted.flatMap((file) => [
    ...checkImports(map, file),
    ...checkAttributes(map, file, assigned),
    ...checkUndefined(file),
    ...checkLint(file),
    ...checkCalls(index, families, file),
    ...checkMembers(index, families, file),
    ...checkOperations(index, families, file),
    ...checkHyperParameters(index, families, file),
  ]);
  return [
    ...sorted.flatMap((file) => checkFile(file).filter(({ kind }) => kind !== 'hollow')),
    ...checkHollow(sorted, planned),
    ...gather([
      ...sightings,
      ...checkEntryPoints(map, commandsTold),
      ...checkStart(map, commandsTold),
      ...checkNamedFiles(map, commandsTold),
      ...checkFlags(map, commandsTold),
      ...checkUnreadFlags(map, planned),
      ...checkPackages(map, planned),
      ...checkLayout(map),
      ...checkShadowing(map),
      ...checkCycles(map),
      ...undefinedKeys,
      ...checkAffixes(map, planned),
      ...checkNamedKeys(map, planned, [...undefinedKeys, ...sightings]),
      // Without a plan, whoever imports a class may read its fields.
      ...(ledger.files.length > 0 ? unusedFields : []),
      ...unusedKeys.filter(({ symbol }) => !told.has(symbol)),
    ]),
    ...gather([
      ...checkMatrix(map, planned, experiments),
      ...checkMeasures(map, planned, experiments),
      ...checkIdle(index, planned),
      ...values,
      ...checkRegistries(map, experiments),
      ...checkReach(map, planned, { ledger, experiments }),
      ...checkSplit(map, planned, { ledger, experiments }),
      ...checkResorts(map),
    ]),
  ];
}
