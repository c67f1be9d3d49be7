import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';

/** Names of one file that nothing binds. */
export function checkUndefined({ path, code }: ParsedFile): Sighting[] {
  return code.undefinedNames.map(({ name, line, symbol, nearest }) => ({
    kind: 'unresolved-name',
    path,
    symbol: symbol === '' ? name : `${symbol}: ${name}`,
    line,
    message: (places) =>
      `${path} uses \`${name}\` ${places}, which it neither defines nor imports, so it fails when it runs.`,
    remedy:
      nearest === null
        ? `Import or define \`${name}\`.`
        : `Use \`${nearest}\`, which is there, or import or define \`${name}\`.`,
  }));
}
