import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The arguments with which Node runs a module of ours; TypeScript, in tests only, needs a loader. */
export function nodeArguments(modulePath: string): string[] {
  const loader = modulePath.endsWith('.ts')
    ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
    : [];
  return [...loader, modulePath];
}
