import type { FileInterface, InterfaceFacts } from '../domain/interface.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { ValueFlow } from './settings-facts.ts';

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
  if (language !== 'python')
    return { registered: [], keysRead: [], settingsRead: [], files: [], flags: [] };
  const { selectors, flow, strings, templates } = settings;
  const keys = flow.reads.map(({ at }) => at.path.join('.')).filter((key) => key !== '');
  const names = [...strings, ...templates.map((each) => each.replaceAll('\0', '{}'))];
  return {
    registered: few(
      selectors
        .filter(({ owner }) => owner !== '__name__')
        .map(({ owner, names }) => `${owner}: ${few(names).join(', ')}`),
    ),
    keysRead: few(keys),
    settingsRead: few(settingsReads(flow)),
    files: few(names.filter((name) => RESULT_FILE.test(name))),
    flags: few(code.commandLine.arguments.flatMap(({ flags }) => flags.slice(0, 1))),
  };
}

/** What settings are called where another file has loaded them. */
const SETTINGS_NAME = /[:.](?:cfg|conf|config|configuration|settings|hparams)$/;

/** Keys read off what this file loads, or what is called settings, from the root of those. */
function settingsReads({ sources, flows, reads }: ValueFlow): string[] {
  const roots = new Map(sources.map(({ node }): [string, readonly string[]] => [node, []]));
  follow(flows, roots);
  for (const { node } of [...flows.map(({ from }) => from), ...reads.map(({ at }) => at)])
    if (SETTINGS_NAME.test(node) && !roots.has(node)) roots.set(node, []);
  follow(flows, roots);
  return reads.flatMap(({ at }) => {
    const root = roots.get(at.node);
    const key = [...(root ?? []), ...at.path].join('.');
    return root === undefined || key === '' ? [] : [key];
  });
}

/** Adds where values flow to from the roots, each with the keys that lead there. */
function follow(flows: ValueFlow['flows'], roots: Map<string, readonly string[]>): void {
  const leading = new Map<string, ValueFlow['flows'][number][]>();
  for (const flow of flows) {
    const others = leading.get(flow.from.node);
    if (others) others.push(flow);
    else leading.set(flow.from.node, [flow]);
  }
  const work = [...roots.keys()];
  for (let node = work.pop(); node !== undefined; node = work.pop())
    for (const { from, to } of leading.get(node) ?? []) {
      if (roots.has(to)) continue;
      roots.set(to, [...(roots.get(node) ?? []), ...from.path]);
      work.push(to);
    }
}

function few(items: readonly string[]): string[] {
  return [...new Set(items)].slice(0, MOST);
}
