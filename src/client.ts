#!/usr/bin/env node
import { answerQuickly } from './client-quick.ts';

// What a shell asks at each press of a key must not load the whole command line.
if (await answerQuickly(process.argv.slice(2))) process.exit();

const [{ createPorts }, { buildProgram }, { isWrongUse, sentenceOf }, errors] = await Promise.all([
  import('./client-ports.ts'),
  import('./commands/program.ts'),
  import('./commands/wrong-use.ts'),
  import('./domain/errors.ts'),
]);
const { BlobUnreadable, NeedsPerson, UsageError } = errors;

/** A process that has said all it has to say must end, whatever still holds on to it. */
const LAST_GASP_MS = 3000;
const RESTORE =
  'Restore it from a copy of the data folder, or set DEEPREPRO_HOME to the folder that has it.';

const ports = createPorts();
const program = buildProgram(ports);
const words = process.argv.slice(2);

// Whoever reads us (`| head`) may have seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
process.on('unhandledRejection', endBy);
process.on('uncaughtException', endBy);
/** Set once all is said: what a library still tries then on a connection that we closed is nobody's concern. */
let isDone = false;

try {
  await program.parseAsync(process.argv);
} catch (error) {
  report(error);
} finally {
  isDone = true;
  await ports.close().catch(() => undefined);
  setTimeout(() => process.exit(), LAST_GASP_MS).unref();
}

/** What nobody caught is said like all else, without a stack trace, and ends the process. */
function endBy(error: unknown): void {
  if (isDone) return;
  report(error);
  process.exit(process.exitCode ?? 1);
}

/** One sentence on stderr, and the exit code that goes with it. */
function report(error: unknown): void {
  if (isWrongUse(error)) {
    const sentence = sentenceOf(error, program, words);
    if (sentence !== undefined) fail(2, sentence);
  } else if (error instanceof UsageError) fail(2, error.message);
  else if (error instanceof NeedsPerson) fail(1, `${error.message} ${error.remedy}`);
  else if (error instanceof BlobUnreadable) fail(1, `${error.message} ${RESTORE}`);
  else fail(1, error instanceof Error ? error.message : String(error));
  if (process.env['DEEPREPRO_DEBUG'] && error instanceof Error) console.error(error);
}

function fail(exitCode: number, sentence: string): void {
  console.error(sentence);
  process.exitCode = exitCode;
}
