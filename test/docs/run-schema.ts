import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { z } from 'zod';
import { RunDocument } from '../../src/domain/run-document.ts';

/** The schema of `.deeprepro/run.json` as it is published. */
export const RUN_SCHEMA = fileURLToPath(new URL('../../docs/run.schema.json', import.meta.url));

/** The same as made from the code. */
export function runSchema(): object {
  return {
    title: 'run.json of deeprepro',
    description:
      'What a run made, found and spent: .deeprepro/run.json in an exported repository. Within a schemaVersion, fields are added, never renamed.',
    // Readers must take fields that a later version adds.
    ...z.toJSONSchema(RunDocument, {
      override({ jsonSchema }) {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    }),
  };
}

// `node --import=tsx test/docs/run-schema.ts` writes the file anew.
if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeFile(
    RUN_SCHEMA,
    await format(JSON.stringify(runSchema()), { parser: 'json', printWidth: 100 }),
  );
