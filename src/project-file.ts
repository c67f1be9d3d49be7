import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from './domain/errors.ts';
import { ProjectFile } from './domain/project-file.ts';

const NAME = 'deeprepro.json';

/** What `deeprepro.json` in `folder` says; nothing where there is none. Throws `UsageError` that names file and field. */
export function readProjectFile(folder: string): ProjectFile {
  const path = join(folder, NAME);
  const text = readText(path);
  if (text === undefined) return {};
  const parsed = ProjectFile.safeParse(parseJson(path, text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const known = Object.keys(ProjectFile.shape).join(', ');
  throw new UsageError(
    issue?.code === 'unrecognized_keys'
      ? `${path}: "${[...issue.path, issue.keys[0] ?? ''].join('.')}" is not known; there are ${known}, and below roles the names of roles.`
      : `${path}: ${issue?.path.join('.') || 'the file'} cannot be used (${issue?.message ?? ''}): correct it.`,
  );
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new UsageError(`${path} cannot be read: make it a readable file, or remove it.`, {
      cause: error,
    });
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${path} is no JSON (${reason}): correct or remove it.`, { cause: error });
  }
}
