import type { FigurePlace } from '../domain/paper.ts';

/** A piece of a paper in reading order, before ids are given out. */
export type Block = HeadingBlock | TextBlock | NumberedBlock;

/** A heading. `level` counts from 1 and need not be dense; `front` marks an abstract, which is section 0. */
export type HeadingBlock = Readonly<{
  kind: 'heading';
  level: number;
  text: string;
  front: boolean;
  labels: string[];
}>;

/** Markdown without an id. `indent` stands before each of its lines (list items). */
export type TextBlock = Readonly<{ kind: 'text'; text: string; indent: string }>;

/** An equation, table, figure or algorithm. `body` is Markdown without the caption, which is `title`. */
export type NumberedBlock = Readonly<{
  kind: 'equation' | 'table' | 'figure' | 'algorithm';
  title: string;
  body: string;
  labels: readonly string[];
  indent: string;
  /** Whether the paper prints a number beside it, where the source tells. */
  isNumbered?: boolean;
  /** Of a figure in a PDF. */
  place?: FigurePlace;
}>;

/** What a reader makes of a source: its blocks in order, and what else a label can stand for. */
export type Draft = Readonly<{
  form: 'markdown' | 'text' | 'latex' | 'pdf';
  title: string;
  blocks: readonly Block[];
  /** Labels of things that have no id, such as theorems, with the words to show instead. */
  names: ReadonlyMap<string, string>;
  notices: readonly string[];
}>;

/**
 * Stands in a text for the id of the labelled part until ids are known. NUL is safe as a bracket: a source that holds
 * one is refused as binary.
 */
export function referenceTo(label: string): string {
  return `\0${label}\0`;
}

/** Replaces each mark made by `referenceTo`. */
export function resolveReferences(text: string, resolve: (label: string) => string): string {
  return text.includes('\0')
    ? text.replace(/\0([^\0]*)\0/g, (_, label: string) => resolve(label))
    : text;
}

/** `text` in a code fence that no line of it can close. */
export function fenced(language: string, text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
