import { stringify } from 'yaml';
import { Blueprint } from '../domain/blueprint.ts';
import { UsageError } from '../domain/errors.ts';
import type { Ref } from '../domain/ref.ts';
import { getJson } from '../store/stored-json.ts';
import type { Engine, RunPorts } from './ports.ts';

/** The workflow knows of a new blueprint a moment before the record does. */
const QUERY_TIMEOUT_MS = 2000;

/** The blueprint of a run, drafted or approved, to be read or edited. Throws `UsageError` when there is none yet. */
export async function readBlueprintText(
  ports: RunPorts,
  name: string,
  format: 'yaml' | 'json',
): Promise<string> {
  const record = await ports.folders.read(name);
  const engine = record.blueprint ? undefined : await ports.engineIfUp();
  const ref = record.blueprint ?? (engine ? await draftedBlueprint(engine, name) : null);
  if (!ref) throw noBlueprint(name);
  const blueprint = await getJson(ports.store, Blueprint, ref);
  return format === 'json'
    ? JSON.stringify(blueprint, null, 2)
    : stringify(blueprint, { lineWidth: 0 }).trimEnd();
}

/** The blueprint that the workflow has, or null when it has none or does not answer. */
export async function draftedBlueprint(engine: Engine, name: string): Promise<Ref | null> {
  return engine.status(name, QUERY_TIMEOUT_MS).then(
    ({ blueprint }) => blueprint,
    () => null,
  );
}

/** What to say of a run that has no blueprint. */
export function noBlueprint(name: string): UsageError {
  return new UsageError(
    `The run "${name}" has no blueprint yet: \`deeprepro watch ${name}\` shows how far it is.`,
  );
}
