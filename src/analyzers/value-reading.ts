import type {
  KeyRead,
  Place,
  SettingsSource,
  Spread,
  ValueFlow,
} from '../diagnostics/settings-facts.ts';
import type { Bindings } from './python-scope-owners.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** The scope in which an expression is read. */
export interface Frame {
  readonly symbol: string;
  /** Scopes in which names are sought, the innermost first, the module (empty) last. */
  readonly symbols: readonly string[];
  /** The class whose method this is. */
  readonly owner: string | undefined;
  /** A missing key is caught here. */
  readonly guarded: boolean;
  /** The innermost function, or the module. */
  readonly node: SyntaxNode;
  /** How deep the expression is nested. */
  readonly depth: number;
}

/** What an expression may be: followed places, and whether it may be something else too. */
export interface Result {
  readonly places: readonly Place[];
  readonly unknown: boolean;
}

export const UNKNOWN: Result = { places: [], unknown: true };
export const NOTHING: Result = { places: [], unknown: false };

/** What is gathered while a file is read. */
export interface Reading {
  readonly text: string;
  readonly bindings: Bindings;
  /** Keys that the flow accounts for. */
  readonly handled: Set<SyntaxNode>;
  readonly sources: SettingsSource[];
  readonly flows: { readonly from: Place; readonly to: string }[];
  readonly unknown: Set<string>;
  readonly reads: KeyRead[];
  readonly consumed: Place[];
  readonly opened: Place[];
  readonly removed: Place[];
  readonly spreads: Spread[];
  readonly functions: ValueFlow['functions'][number][];
  readonly handedOn: Set<string>;
  readonly typed: ValueFlow['typed'][number][];
}

/** A value as a whole. */
export function place(node: string): Place {
  return { node, path: [], dotted: false, keyed: false, wrapped: false, optional: false };
}

/** Records the keys that were taken to come to a value. */
export function take({ reads }: Reading, { places }: Result, node: SyntaxNode, frame: Frame): void {
  for (const at of places)
    if (at.path.length > 0) {
      const optional = at.optional || frame.guarded;
      reads.push({ at: { ...at, optional }, line: node.line, symbol: frame.symbol });
    }
}

/** Records that a value is used in a way that may read any of its keys. */
export function use(reading: Reading, result: Result, node: SyntaxNode, frame: Frame): void {
  take(reading, result, node, frame);
  reading.consumed.push(...result.places);
}

/** Records that a value moves into a variable, field, parameter or result. */
export function flowTo(
  reading: Reading,
  result: Result,
  to: string,
  { node, frame }: { readonly node: SyntaxNode; readonly frame: Frame },
): void {
  take(reading, result, node, frame);
  for (const from of result.places) reading.flows.push({ from, to });
  if (result.unknown) reading.unknown.add(to);
}

/** Several results of which an expression may be any. */
export function anyOf(results: readonly Result[]): Result {
  return {
    places: results.flatMap(({ places }) => places),
    unknown: results.some(({ unknown }) => unknown),
  };
}
