import type { CommandUse } from '../diagnostics/code-facts.ts';
import { splitCommands } from '../diagnostics/command-words.ts';

const SHELL_BLOCK = /^(bash|sh|shell|zsh|console|terminal|shell-session)\b|^$/;
/** What a block without a language must begin a line with to be taken for a command. */
const PROMPT = /^\s*[$%>]\s+/;
const COMMAND = /^\s*(python3?|bash|sh|torchrun|accelerate|\.\/[\w./-]+\.(sh|py))\s/;

/** A line that Markdown shows as code for its indentation. */
const INDENTED = /^(?: {4,}|\t)/;
/** A block that begins with its own name: `# main.py`. */
const SHOWN_FILE = /^ {0,3}`{3,}\w+\n#\s*([\w./-]+\.(?:py|sh))\s*$/gm;
/** Code within a sentence. */
const SPAN = /(?<!`)`([^`]+)`(?!`)/g;

/** The commands in the shell blocks and code spans of a Markdown text, with their lines. */
export function readToldBlocks(text: string): CommandUse[] {
  const commands: CommandUse[] = [];
  let open:
    { readonly fence: string; readonly language: string; readonly line: number } | undefined;
  let block: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [, fence, info] = /^\s*(`{3,}(?!.*`)|~{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (fence === undefined) {
        commands.push(...lineCommands(line, index + 1));
        continue;
      }
      open = { fence, language: info?.trim().toLowerCase() ?? '', line: index + 2 };
      block = [];
    } else if (fence?.startsWith(open.fence) && info?.trim() === '') {
      if (SHELL_BLOCK.test(open.language)) commands.push(...blockCommands(block, open));
      open = undefined;
    } else block.push(line);
  }
  // What the text shows whole, under its name, its reader writes.
  const shown = new Set([...text.matchAll(SHOWN_FILE)].map(([, name = '']) => name));
  return commands.filter(({ words }) => !words.some((word) => shown.has(word ?? '')));
}

/** Outside of blocks only what begins like a command is one. */
function lineCommands(line: string, number: number): CommandUse[] {
  const sources = INDENTED.test(line)
    ? [line.replace(PROMPT, '')]
    : [...line.matchAll(SPAN)].map(([, code = '']) => code);
  return sources
    .filter((source) => COMMAND.test(source))
    .flatMap((source) => splitCommands(source, '', number));
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
