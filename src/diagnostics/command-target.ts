import type { CommandUse } from './code-facts.ts';
import { joinPath } from './module-map.ts';

/** What a command starts, of what the repository may hold. */
export type CommandTarget =
  | {
      readonly kind: 'script' | 'shell';
      readonly path: string;
      readonly given: readonly (string | null)[];
    }
  | { readonly kind: 'module'; readonly name: string; readonly given: readonly (string | null)[] };

const PYTHON = /^(.*\/)?python(\d(\.\d+)?)?$/;
const LAUNCHER =
  /^(torchrun|accelerate|deepspeed|uv|poetry|pipenv|conda|srun|mpirun|xvfb-run|timeout|nice)$/;
const SHELL = /^(bash|sh|zsh|source|\.)$/;

/** Reads a command's target; undefined where it starts something else, or what it starts can't be known. */
export function targetOf({ words, folder }: CommandUse): CommandTarget | undefined {
  if (folder === null) return undefined;
  const [first, second] = words;
  const python = words.findIndex((word) => word !== null && PYTHON.test(word));
  const isPython = python === 0 || (python > 0 && first !== null && LAUNCHER.test(first ?? ''));
  if (isPython) return pythonTarget(words.slice(python + 1), folder);
  // `$PYTHON train.py` and `torchrun --nproc 2 train.py`
  if (first === null || LAUNCHER.test(first ?? '')) return scriptTarget(words.slice(1), folder);
  if (first !== undefined && SHELL.test(first)) {
    const [script, ...given] = words.slice(1);
    return typeof script === 'string' && script.endsWith('.sh')
      ? inFolder('shell', script, folder, given)
      : undefined;
  }
  if (!/^\.\/.*\.(sh|py)$/.test(first ?? '')) return undefined;
  const kind = first?.endsWith('.py') ? 'script' : 'shell';
  return inFolder(
    kind,
    first ?? '',
    folder,
    [second ?? null, ...words.slice(2)].slice(0, words.length - 1),
  );
}

function pythonTarget(
  words: readonly (string | null)[],
  folder: string,
): CommandTarget | undefined {
  const index = words.findIndex((word) => word === null || !/^-[uOBEsSIvbqd]+$/.test(word));
  const word = words[index];
  const next = words[index + 1];
  if (word === '-m') {
    const isKnown = typeof next === 'string' && /^[\w.]+$/.test(next) && folder === '';
    return isKnown ? { kind: 'module', name: next, given: words.slice(index + 2) } : undefined;
  }
  return typeof word === 'string' && word.endsWith('.py')
    ? inFolder('script', word, folder, words.slice(index + 1))
    : undefined;
}

function scriptTarget(
  words: readonly (string | null)[],
  folder: string,
): CommandTarget | undefined {
  const index = words.findIndex((word) => word?.endsWith('.py'));
  const word = words[index];
  return typeof word === 'string'
    ? inFolder('script', word, folder, words.slice(index + 1))
    : undefined;
}

/** Paths out of the repository are somebody else's. */
function inFolder(
  kind: 'script' | 'shell',
  written: string,
  folder: string,
  given: readonly (string | null)[],
): CommandTarget | undefined {
  const path = written.replace(/^(\.\/)+/, '');
  return /^[/~]|(^|\/)\.\.(\/|$)|:/.test(path)
    ? undefined
    : { kind, path: joinPath(folder, path), given };
}
