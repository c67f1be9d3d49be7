import { runCommand } from '../processes/run-command.ts';

const TIMEOUT_MS = 2000;

/**
 * Shows a note on the desktop: through the terminal where stderr is one (OSC 9 and OSC 777, which terminals that know
 * neither pass over), and through the desktop's own program where there is one. Best effort: never rejects.
 */
export async function notifyDesktop(title: string, text: string): Promise<void> {
  const [head, body] = [plain(title), plain(text)];
  if (process.stderr.isTTY && process.env['TERM'] !== 'dumb')
    process.stderr.write(`\u001b]9;${head}: ${body}\u0007\u001b]777;notify;${head};${body}\u0007`);
  const [command, ...args] = programFor(head, body);
  // Its failures are values, which nobody waits for.
  if (command !== undefined) await runCommand({ command, args, timeoutMs: TIMEOUT_MS });
}

function programFor(title: string, text: string): string[] {
  if (process.platform === 'darwin')
    return [
      'osascript',
      '-e',
      `display notification ${JSON.stringify(text)} with title ${JSON.stringify(title)}`,
    ];
  const hasDesktop = (process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'] ?? '') !== '';
  return hasDesktop ? ['notify-send', '--app-name=deeprepro', '--', title, text] : [];
}

/** What would end an escape sequence, or separate its parts, is left out. */
function plain(text: string): string {
  return text.replace(/[\p{Cc};]+/gu, ' ').slice(0, 200);
}
