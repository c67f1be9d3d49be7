import type { CommandUse } from '../diagnostics/code-facts.ts';
import { splitCommands } from '../diagnostics/command-words.ts';

const SHELL_BLOCK = /^(bash|sh|shell|zsh|console|terminal|shell-session|)\b/;
/** What a block without a language must begin a line with to be taken for a command. */
const PROMPT = /^\s*[$%>]\s+/;
const COMMAND = /^\s*(python3?|bash|sh|torchrun|accelerate|\.\/[\w./-]+\.(sh|py))\s/;

/** The commands in the shell blocks of a Markdown text, with their lines. */
export function readToldBlocks(text: string): CommandUse[] {
  const commands: CommandUse[] = [];
  let open:
    { readonly fence: string; readonly language: string; readonly line: number } | undefined;
  let block: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [, fence, info] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (fence === undefined) continue;
      open = { fence, language: info?.trim().toLowerCase() ?? '', line: index + 2 };
      block = [];
    } else if (fence?.startsWith(open.fence) && info?.trim() === '') {
      if (SHELL_BLOCK.test(open.language)) commands.push(...blockCommands(block, open));
      open = undefined;
    } else block.push(line);
  }
  return commands;
}

/** In a session, only lines with a prompt are commands; the others are output. */
function blockCommands(
  block: readonly string[],
  { language, line }: Readonly<{ language: string; line: number }>,
): CommandUse[] {
  const hasPrompt = block.some((one) => PROMPT.test(one));
  let continues = false;
  const lines = block.map((one) => {
    const isCommand =
      continues || (hasPrompt ? PROMPT.test(one) : language !== '' || COMMAND.test(one));
    continues = isCommand && one.endsWith('\\');
    return isCommand ? one.replace(PROMPT, '') : '';
  });
  return splitCommands(lines.join('\n'), '', line);
}
