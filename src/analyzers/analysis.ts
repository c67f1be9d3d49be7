import { checkFile } from '../diagnostics/check-file.ts';
import { checkTree } from '../diagnostics/check-tree.ts';
import { NO_CODE } from '../diagnostics/code-facts.ts';
import { interfaceWithFacts } from '../diagnostics/interface-facts.ts';
import type { Ledger } from '../diagnostics/ledger.ts';
import type { ParsedFile } from '../diagnostics/parsed-file.ts';
import { EMPTY_SETTINGS } from '../diagnostics/settings-facts.ts';
import type { Experiment } from '../domain/experiment.ts';
import type { Problem } from '../domain/finding.ts';
import type { Parser } from './parse-file.ts';

/** A file of a tree. The key stands for path and content: equal keys mean equal files. */
export interface KeyedFile {
  readonly path: string;
  readonly key: string;
}

/** A tree to be checked, its files by key. */
export interface KeyedTree {
  readonly files: readonly KeyedFile[];
  readonly planned: readonly string[];
  readonly experiments: readonly Experiment[];
  /** Nothing where there is no plan. */
  readonly ledger?: Ledger;
}

/** Reads files and checks trees of them. What was read before is not read again. */
export interface Analysis {
  /** Never rejects on account of the text: what can't be read, or takes too long, is a problem of the file. Without the facts that only checks of the tree need. */
  readonly parse: (file: KeyedFile, text: string) => Promise<ParsedFile>;
  /** Everything wrong with a tree; texts are asked for where they are not known yet. */
  readonly check: (
    tree: KeyedTree,
    textOf: (file: KeyedFile) => Promise<string>,
  ) => Promise<Problem[]>;
  readonly end: () => Promise<void>;
}

/** What is wrong with a tree, or which of its files have to be read first. */
export type Checked =
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }
  | { readonly kind: 'unread'; readonly files: readonly KeyedFile[] };

/** The work itself, synchronous, wherever it runs. */
export interface AnalysisCore {
  readonly parse: (file: KeyedFile, text: string) => ParsedFile;
  /** Remembers a file that was refused unread. */
  readonly keep: (key: string, file: ParsedFile) => void;
  /** `alone` leaves out all that looks at more than one file. */
  readonly check: (tree: KeyedTree, alone: boolean) => Checked;
}

/** Parsed files that are kept; a tree of a few hundred files and its revisions fit. */
const MOST_KEPT = 2_000;

/** Keeps what a parser has read, the latest files at least. */
export function createAnalysisCore(parser: Parser): AnalysisCore {
  const parsed = new Map<string, ParsedFile>();
  const keep = (key: string, file: ParsedFile): void => {
    // What was used last goes last.
    parsed.delete(key);
    if (parsed.size >= MOST_KEPT) parsed.delete([...parsed.keys()][0] ?? '');
    parsed.set(key, file);
  };
  return {
    keep,
    parse({ path, key }, text) {
      const file = parsed.get(key) ?? parser.parse(path, text);
      keep(key, file);
      // What memory needs of those facts goes with the interface.
      const facts = { settings: EMPTY_SETTINGS, code: NO_CODE };
      return { ...file, interface: interfaceWithFacts(file), ...facts };
    },
    check({ files, ...plan }, alone) {
      const unread = files.filter(({ key }) => !parsed.has(key));
      if (unread.length > 0) return { kind: 'unread', files: unread };
      const known = files.flatMap(({ path, key }): [string, ParsedFile][] => {
        const file = parsed.get(key);
        return file === undefined ? [] : [[path, file]];
      });
      for (const { key } of files) {
        const file = parsed.get(key);
        if (file !== undefined) keep(key, file);
      }
      const problems = alone
        ? known.flatMap(([, file]) => checkFile(file))
        : checkTree({ ...plan, files: new Map(known) });
      return { kind: 'problems', problems };
    },
  };
}

/** An analysis in this very thread, for tests and tools: nothing limits its time. */
export function createInlineAnalysis(parser: Parser): Analysis {
  const core = createAnalysisCore(parser);
  return {
    parse: (file, text) => Promise.resolve(core.parse(file, text)),
    async check(tree, textOf) {
      const checked = core.check(tree, false);
      if (checked.kind === 'problems') return [...checked.problems];
      for (const file of checked.files) core.parse(file, await textOf(file));
      const again = core.check(tree, false);
      if (again.kind === 'unread')
        throw new Error(`A tree of ${tree.files.length} files is larger than what is kept.`);
      return [...again.problems];
    },
    end: () => Promise.resolve(),
  };
}
