import type { FindingKind } from '../domain/finding.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';

/** Rules about what Python refuses to compile. */
const SYNTAX = /^(invalid-syntax|F404|F62[12]|F70[1-7]|PLE0115|PLE0117|PLE0118|PLE1142)$/;
/** Rules about formatting that fails whatever the values are. */
const FORMAT = /^(F50[2-9]|F521|F524|F525)$/;

/** What the linter found in one file that parses, as what it means for whoever runs it. */
export function checkLint({ path, problems, code: { lint } }: ParsedFile): Sighting[] {
  if (problems.length > 0) return [];
  const syntax = lint.filter(({ code }) => SYNTAX.test(code));
  // What else is said of a file that cannot be compiled may follow from that.
  return (syntax.length > 0 ? syntax : lint).map(({ code, line, message }) => {
    const kind = kindOf(code);
    return {
      kind,
      path,
      symbol: kind === 'does-not-parse' ? '' : `${code}: ${message}`,
      line,
      message: (places) => `${path} ${places}: ${message} (${code})${CONSEQUENCES[kind] ?? ''}.`,
      remedy: kind === 'lint' ? 'Correct it, or say in a comment why it is right.' : 'Correct it.',
    };
  });
}

const CONSEQUENCES: Partial<Record<FindingKind, string>> = {
  'does-not-parse': ', so nothing in it can be loaded',
  'wrong-call': ', so formatting fails when the line is reached',
};

function kindOf(code: string): FindingKind {
  if (SYNTAX.test(code)) return 'does-not-parse';
  return FORMAT.test(code) ? 'wrong-call' : 'lint';
}
