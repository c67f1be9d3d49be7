import type { FileInterface, InterfaceFacts } from '../domain/interface.ts';
import type { ParsedFile } from './parsed-file.ts';

/** As many as a reader can use; a file with more is not described by listing them. */
const MOST = 40;
const RESULT_FILE =
  /^[\w./{}-]{1,120}\.(?:csv|tsv|jsonl?|ya?ml|txt|log|pt|pth|ckpt|npz|npy|pkl|png|pdf|svg|parquet)$/;

/** A file's interface with the names it registers, the keys it reads, the files it names and its flags. */
export function interfaceWithFacts(file: ParsedFile): FileInterface {
  const facts = factsOf(file);
  const isEmpty = Object.values(facts).every((each) => each.length === 0);
  return isEmpty ? file.interface : { ...file.interface, facts };
}

function factsOf({ language, settings, code }: ParsedFile): InterfaceFacts {
  if (language !== 'python') return { registered: [], keysRead: [], files: [], flags: [] };
  const { selectors, flow, strings, templates } = settings;
  const keys = flow.reads.map(({ at }) => at.path.join('.')).filter((key) => key !== '');
  const names = [...strings, ...templates.map((each) => each.replaceAll('\0', '{}'))];
  return {
    registered: few(selectors.map(({ owner, names }) => `${owner}: ${few(names).join(', ')}`)),
    keysRead: few(keys),
    files: few(names.filter((name) => RESULT_FILE.test(name))),
    flags: few(code.commandLine.arguments.flatMap(({ flags }) => flags.slice(0, 1))),
  };
}

function few(items: readonly string[]): string[] {
  return [...new Set(items)].slice(0, MOST);
}
