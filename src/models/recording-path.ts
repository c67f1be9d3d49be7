import { createHash } from 'node:crypto';

/** File systems take 255 bytes a name; this leaves room for the extension and a temporary suffix. */
const LONGEST_NAME = 180;

/** Where the reply to a label is kept: its parts as folders, each made safe as a name. Different labels differ. */
export function recordingPath(label: string): string {
  const parts = label.split('/');
  const folders = parts.slice(0, -1).map((part) => safeName(part));
  // A folder that ends like a file could be in the way of that file.
  const open = folders.map((folder) => folder.replace(/\.json$/, '%2Ejson'));
  return [...open, `${safeName(parts.at(-1) ?? '')}.json`].join('/');
}

function safeName(part: string): string {
  // `%` alone never comes out of the encoding, nor does `%2E`.
  if (part === '') return '%';
  const name = encodeURIComponent(Buffer.from(part).toString())
    .replace(/^\.+$/, (dots) => '%2E'.repeat(dots.length))
    .replaceAll('*', '%2A');
  if (name.length <= LONGEST_NAME) return name;
  const digest = createHash('sha256').update(part).digest('hex').slice(0, 16);
  return `${name.slice(0, LONGEST_NAME)}~${digest}`;
}
