/** Whether a reply says anything under `@doubts`, be it "none". */
export function statesDoubts(reply: string): boolean {
  return /^@doubts[ \t]*\r?$/m.test(reply);
}

/** What a reply says under `@doubts`, or empty where it says nothing or "none". */
export function statedDoubts(reply: string): string {
  const lines = reply.replaceAll('\r\n', '\n').split('\n');
  const start = lines.findLastIndex((line) => line.trim() === '@doubts');
  if (start === -1) return '';
  const after = lines.slice(start + 1);
  const end = after.findIndex((line) => /^@\w+\s*$/.test(line));
  const text = (end === -1 ? after : after.slice(0, end)).join('\n').trim();
  return /^(?:- )?none\.?$/i.test(text) ? '' : text;
}
