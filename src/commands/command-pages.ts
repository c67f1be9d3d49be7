import type { Command } from 'commander';

/** Where the pages live, from the root of the package. */
export const PAGES_FOLDER = 'docs/commands';

/** Columns of a terminal, so that pages do not depend on whose terminal made them. */
const COLUMNS = 100;

/** A page for each command, and one that lists them, by file name; made from the program's own help. */
export function pagesOf(program: Command): ReadonlyMap<string, string> {
  const commands = program.createHelp().visibleCommands(program);
  const pages = commands.map((command) => [`${command.name()}.md`, pageOf(command)] as const);
  const rows = commands.map(
    (command) => `- [\`${command.name()}\`](${command.name()}.md): ${command.summary()}`,
  );
  const index = `# Commands\n\nMade by \`node scripts/command-pages.mjs\` from the program's own help.\n\n${rows.join('\n')}\n`;
  return new Map([['README.md', index], ...pages]);
}

function pageOf(command: Command): string {
  return `# deeprepro ${command.name()}\n\n${command.description()}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n\nExit codes: ${exitCodesOf(command)}\n`;
}

/** With what is added behind it, such as examples. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => void (text += part),
    getOutHelpWidth: () => COLUMNS,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text.trimEnd();
}

/** Commands that follow a run end as the run does. */
const FOLLOWING = ['run', 'demo', 'resume', 'retry', 'fork', 'watch', 'batch'];

function exitCodesOf(command: Command): string {
  if (FOLLOWING.includes(command.name()))
    return '0 complete; 3 complete with gaps; 4 out of budget, stalled, stopped or waiting; 1 failed; 2 wrong use; 130 cancelled or left with Ctrl-C.';
  if (command.name() === 'doctor') return '0 when nothing is marked ✗; 1 otherwise; 2 wrong use.';
  return '0 done; 1 failed; 2 wrong use.';
}
