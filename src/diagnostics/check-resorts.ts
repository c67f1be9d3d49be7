import { meaningOf } from './called-names.ts';
import type { ModuleMap } from './module-map.ts';
import type { Sighting } from './sightings.ts';
import { isTest } from './test-files.ts';

/** Functions of any file that make data up, called where the real ones can't be had. */
export function checkResorts(map: ModuleMap): Sighting[] {
  const files = [...map.files.values()].filter(
    ({ language, path }) => language === 'python' && !isTest(path),
  );
  return files.flatMap((file) =>
    file.code.traces.lastResorts.flatMap(({ callee, when, line, symbol }): Sighting[] => {
      const meaning = meaningOf(map, file, callee);
      const maker = meaning?.kind === 'function' ? map.files.get(meaning.path) : undefined;
      if (!meaning || !maker?.code.traces.makers.includes(meaning.name)) return [];
      // What the handler's own file shows is said already.
      if (file.faults.some((one) => one.kind === 'silent-fallback' && one.symbol === symbol))
        return [];
      return [
        {
          ...{ kind: 'silent-fallback', path: file.path, symbol, line },
          message: (places) =>
            `${file.path}: ${symbol === '' ? 'the module' : `\`${symbol}\``} ${places} takes what \`${meaning.name}\` of ${meaning.path} makes up ${when}.`,
          remedy: 'Let it fail, with a message that says what to install or to download.',
        },
      ];
    }),
  );
}
