import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';
import { isSettingsClass } from './settings-links.ts';

/** Modules of which the classes are settings. */
const SETTINGS_MODULE = /(^|\/)\w*(config|conf|settings|schema|hparams|options)\w*\.py$/i;
/** Reads fields whose names no text holds. */
const DESCRIBES =
  /^(name|names|title|description|doc|label|version|metadata|notes?|comment|tags?)$/;

/** Fields of classes of settings that are declared and that no code reads, writes or takes by name. */
export function unusedFields(code: readonly ParsedFile[]): Sighting[] {
  const isSpread = spreadTargets(code);
  // What is taken by a computed name may have any that a string says.
  const takesComputed = code.some(({ settings }) => settings.looksUpNames);
  const read = new Set(
    code.flatMap(({ code: { traces, commandLine }, settings }) => [
      ...traces.attributesRead,
      ...traces.ownAttributesRead,
      ...settings.flow.functions.filter(isSpread).flatMap(({ parameters }) => parameters),
      ...settings.flow.reads.flatMap(({ at }) => at.path),
      ...(takesComputed ? settings.looseStrings : traces.taken).flatMap((text) =>
        text.split(/\W+/),
      ),
      ...commandLine.arguments.map(({ destination }) => destination),
    ]),
  );
  return code.flatMap((file) =>
    file.settings.classes
      .filter((one) => isSettingsClass(one) || (one.isDataclass && SETTINGS_MODULE.test(file.path)))
      .flatMap((one) =>
        one.fields
          .filter(
            ({ name, type }) =>
              !read.has(name) &&
              !name.startsWith('_') &&
              !DESCRIBES.test(name) &&
              !/ClassVar/.test(type),
          )
          .map(({ name, line }): Sighting => ({
            ...{ kind: 'unused-key', path: file.path, symbol: `${one.name}: ${name}`, line },
            message: (places) =>
              `${file.path} gives ${one.name} the field \`${name}\` ${places}, which no code reads, so changing it changes nothing.`,
            remedy: `Read \`${name}\` where its value is used, or remove it.`,
          })),
      ),
  );
}

/** Whether a function may be called with `**`, so that its parameters are names which are read. */
function spreadTargets(code: readonly ParsedFile[]): (one: { readonly symbol: string }) => boolean {
  const callees = new Set(code.flatMap((file) => file.code.traces.spreadsInto));
  return ({ symbol }) => {
    const parts = symbol.split('.');
    const name = parts.at(-1) ?? '';
    const isMade = name === '__init__' && (callees.has('cls') || callees.has(parts.at(-2) ?? ''));
    return callees.has('') || callees.has(name) || isMade;
  };
}
