import { readdirSync, writeSync } from 'node:fs';
import { readOwnVersion } from './local/version.ts';

/** Answers what needs none of the command line's modules: the version, and names for a shell's completion. */
export async function answerQuickly(words: readonly string[]): Promise<boolean> {
  const [word, what] = words;
  if (words.length === 1 && word === '--version') {
    say(readOwnVersion());
    return true;
  }
  if (word !== '__complete') return false;
  if (what === 'runs') for (const name of await runNames()) say(name);
  return true;
}

/** Never throws: a completion that fails completes nothing. */
async function runNames(): Promise<string[]> {
  try {
    const { foldersOf, readSettings } = await import('./settings.ts');
    const entries = readdirSync(foldersOf(readSettings().home).runs, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}

/** At once, since the process ends right after. */
function say(line: string): void {
  try {
    writeSync(1, `${line}\n`);
  } catch {
    // Whoever asked has gone.
  }
}
