import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { parse } from 'yaml';
import { Blueprint } from '../domain/blueprint.ts';
import { UsageError } from '../domain/errors.ts';
import { putJson } from '../store/stored-json.ts';
import type { RunPorts } from './ports.ts';
import { draftedBlueprint, noBlueprint } from './read-blueprint.ts';
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
  const drafted = before ?? record.blueprint ?? (await draftedBlueprint(engine, name));
  if (drafted === null) throw noBlueprint(name);
  return engine.approveBlueprint(name, {
    id: randomUUID(),
    expected: drafted.sha256,
    amendment: amendment === undefined ? null : await putJson(ports.store, amendment),
  });
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
