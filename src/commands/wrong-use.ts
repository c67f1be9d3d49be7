import { CommanderError, type Command } from 'commander';

/** Codes of commander with which a command line has been answered, not refused. */
const ANSWERED = ['commander.helpDisplayed', 'commander.version'];

/** What commander's complaint means: undefined when it was none, else one sentence with the nearest valid word. */
export function sentenceOf(
  error: CommanderError,
  program: Command,
  words: readonly string[],
): string | undefined {
  if (ANSWERED.includes(error.code)) return undefined;
  const command = program.commands.find((each) => each.name() === words[0]);
  const help = `\`deeprepro ${command ? `${command.name()} ` : ''}--help\``;
  if (error.code === 'commander.help')
    return `Say what to do, such as \`deeprepro run PAPER\`: see ${help}.`;
  const [complaint = '', suggestion = ''] = error.message.replace(/^error: /, '').split('\n');
  const nearest = /^\(Did you mean (.*)\?\)$/.exec(suggestion)?.[1];
  const sentence = complaint.charAt(0).toUpperCase() + complaint.slice(1).replace(/\.$/, '');
  return `${sentence}${nearest === undefined ? '' : `: did you mean ${nearest}?`}${nearest === undefined ? '. S' : ' S'}ee ${help}.`;
}

/** Whether an error is commander's. */
export function isWrongUse(error: unknown): error is CommanderError {
  return error instanceof CommanderError;
}
