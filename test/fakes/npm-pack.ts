import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

const Packed = z.tuple([
  z.looseObject({ filename: z.string(), files: z.array(z.looseObject({ path: z.string() })) }),
]);

/** What `npm pack` says: the package's file name, and the paths in it. With `options` such as `--dry-run`. */
export async function npmPack(
  options: readonly string[],
): Promise<{ filename: string; paths: string[] }> {
  // The build is there already: whoever runs the tests has made it.
  const words = ['pack', '--json', '--ignore-scripts', ...options];
  const { stdout } = await run('npm', words, { cwd: ROOT, maxBuffer: 20_000_000 });
  const [{ filename, files }] = Packed.parse(JSON.parse(stdout));
  return { filename, paths: files.map(({ path }) => path) };
}
