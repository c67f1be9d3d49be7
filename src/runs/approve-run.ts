import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { parse } from 'yaml';
import { Blueprint } from '../domain/blueprint.ts';
import { UsageError } from '../domain/errors.ts';
import type { Ref } from '../domain/ref.ts';
import { getJson, putJson } from '../store/stored-json.ts';
import type { RunPorts } from './ports.ts';
import { readTextSource } from './read-source.ts';
import { reachRun } from './steer-run.ts';

/**
 * Approves the blueprint that waits, or an edited one from a YAML or JSON file. The person approves what the record
 * shows; should another one wait meanwhile, the workflow refuses. Returns `approved` or `amended`.
 */
export async function approveRun(
  ports: RunPorts,
  name: string,
  amendmentPath: string | undefined,
): Promise<string> {
  const { blueprint: before } = await ports.folders.read(name);
  const amendment = amendmentPath === undefined ? undefined : await readAmendment(amendmentPath);
  const { record, engine } = await reachRun(ports, name);
  // Drafted a moment ago, the workflow may know of it before the record does.
  const drafted = before ?? record.blueprint ?? (await draftedOf(engine.status(name, 2000)));
  if (drafted === null)
    throw new UsageError(
      `The run "${name}" has no blueprint yet: \`deeprepro watch ${name}\` shows when it waits for approval.`,
    );
  return engine.approveBlueprint(name, {
    id: randomUUID(),
    expected: drafted.sha256,
    amendment: amendment === undefined ? null : await putJson(ports.store, amendment),
  });
}

/** The blueprint of a run, drafted or approved. Throws `UsageError` when there is none yet. */
export async function readBlueprint(ports: RunPorts, name: string): Promise<Blueprint> {
  const { blueprint } = await ports.folders.read(name);
  const ref = blueprint ?? (await blueprintFromEngine(ports, name));
  if (ref) return getJson(ports.store, Blueprint, ref);
  throw new UsageError(
    `The run "${name}" has no blueprint yet: \`deeprepro watch ${name}\` shows how far it is.`,
  );
}

async function blueprintFromEngine(ports: RunPorts, name: string): Promise<Ref | null> {
  const engine = await ports.engineIfUp();
  return engine ? draftedOf(engine.status(name, 2000)) : null;
}

async function draftedOf(status: Promise<{ readonly blueprint: Ref | null }>): Promise<Ref | null> {
  return status.then(
    ({ blueprint }) => blueprint,
    () => null,
  );
}

async function readAmendment(path: string): Promise<Blueprint> {
  const { content } = await readTextSource(path, 'blueprint');
  const parsed = Blueprint.safeParse(parseFile(path, content.toString('utf8')));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new UsageError(
    `The blueprint ${path} does not fit at ${place === '' ? 'its top' : `"${place}"`}: ${issue?.message ?? ''} Start from \`deeprepro status NAME --blueprint --json\`.`,
  );
}

function parseFile(path: string, text: string): unknown {
  try {
    // YAML holds JSON, but its parser's words about broken JSON help nobody.
    return extname(path).toLowerCase() === '.json' ? JSON.parse(text) : parse(text);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new UsageError(`The blueprint ${path} is neither YAML nor JSON: ${reason}`, {
      cause: error,
    });
  }
}
