/** What is called at a place of a text: the names joined by dots, the last of which is called. */
export interface Callee {
  readonly names: readonly string[];
  /** Whether more than names stands before it, as in `make().run`. */
  readonly isOfValue: boolean;
}

/** The callee of the call that ends at `end`, or, where none ends there, of the one around it; undefined where it is no name. */
export function calleeAt(text: string, start: number, end: number): Callee | undefined {
  const open = text[end - 1] === ')' ? openOf(text, end - 2) : openOf(text, start - 1);
  if (open === undefined) return undefined;
  const before = text.slice(Math.max(0, open - 200), open);
  const found = /([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)$/.exec(before)?.[1];
  if (found === undefined) return undefined;
  const isOfValue = before.at(-found.length - 1) === '.';
  return { names: found.split('.'), isOfValue };
}

/** Where the last name of an expression ends, that of the callee where it is a call; undefined where it ends in anything else. */
export function lastNameEnd(text: string, start: number, end: number): number | undefined {
  const at = text[end - 1] === ')' ? openOf(text, end - 2) : end;
  return at !== undefined && at > start && /\w/.test(text[at - 1] ?? '') ? at : undefined;
}

/** The bracket that is open at a place, looking back; quotes are not read, so an odd one in a string may mislead to nothing. */
function openOf(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at >= 0; at -= 1) {
    const character = text[at] ?? '';
    if (')]}'.includes(character)) depth += 1;
    if ('([{'.includes(character)) {
      if (depth === 0) return character === '(' ? at : undefined;
      depth -= 1;
    }
  }
  return undefined;
}
