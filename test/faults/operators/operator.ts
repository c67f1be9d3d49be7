import type { FindingKind } from '../../../src/domain/finding.ts';
import type { Repository } from '../corpus.ts';

/** One change that is certain to be a fault. */
export interface Mutation {
  readonly what: string;
  readonly kinds: readonly FindingKind[];
  readonly paths: readonly string[];
  readonly word: string;
  /** New text by path; null deletes the file. */
  readonly changes: Readonly<Record<string, string | null>>;
  /** New path by planned path, where the plan follows the change. */
  readonly moved?: Readonly<Record<string, string>>;
}

/** A way of making faults: all places of a repository at which it is certain to make one. */
export interface Operator {
  readonly name: string;
  readonly sites: (repository: Repository) => Mutation[];
}

/** A text with what stands between two places replaced. */
export function spliced(text: string, from: number, to: number, middle: string): string {
  return text.slice(0, from) + middle + text.slice(to);
}

/** A text with every whole word of one name replaced by another. */
export function renamed(text: string, name: string, other: string): string {
  return text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), other);
}

/** How often a whole word stands in a text. */
export function occurrences(text: string, word: string): number {
  return [...text.matchAll(new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'g'))].length;
}

/** Whether a file is of the repository's own tests. */
export function isTest(path: string): boolean {
  return path.startsWith('tests/');
}
