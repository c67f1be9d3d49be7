import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';

const run = promisify(execFile);
const PINS = new URL('../full/real-packages.yaml', import.meta.url);
const DEFAULT_INDEX = 'https://pypi.org/simple';

/** What a repository of ours may hold; the rest of a source distribution is data. */
const TEXTS = /\.(py|pyi|pyx|json|ya?ml|toml|cfg|ini|sh|md|rst|txt)$/;
/** Made by the packaging, not by the authors. */
const MADE = /(^|\/)([^/]+\.egg-info\/|PKG-INFO$|setup\.cfg$)/;
const MAX_TEXT_BYTES = 1_000_000;

const Pins = z.record(
  z.string(),
  z.strictObject({
    file: z.string().regex(/^[\w.-]+\.tar\.gz$/),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    /** Findings that are true of the package, `kind path symbol`, each with the reason. */
    true: z.record(z.string(), z.string()).default({}),
    /** The same, of pyright's. */
    types: z.record(z.string(), z.string()).default({}),
  }),
);

/** A published package, pinned, with what is really wrong with it. */
export interface Pin {
  readonly name: string;
  /** The source distribution's file. */
  readonly file: string;
  readonly sha256: string;
  readonly true: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, string>>;
}

/** The packages to be diagnosed. */
export async function readPins(): Promise<Pin[]> {
  const pins = Pins.parse(parse(await readFile(PINS, 'utf8')));
  return Object.entries(pins).map(([name, pin]) => ({ name, ...pin }));
}

/** The package index that pip is told to use. */
export async function packageIndex(): Promise<string> {
  const { stdout } = await run('python3', ['-m', 'pip', 'config', 'list']).catch(() => ({
    stdout: '',
  }));
  return /\bindex-url='([^']+)'/.exec(stdout)?.[1]?.replace(/\/$/, '') ?? DEFAULT_INDEX;
}

/** The texts of a pinned package by path; undefined when its index cannot be reached. Throws where its bytes are not the pinned ones. */
export async function fetchPackage(
  index: string,
  pin: Pin,
): Promise<ReadonlyMap<string, string> | undefined> {
  const archive = await archiveOf(index, pin);
  if (archive === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'package-'));
  try {
    await run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
    return await textsIn(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The archive in the cache, fetched where it is not there yet. */
async function archiveOf(index: string, pin: Pin): Promise<string | undefined> {
  const home = process.env['XDG_CACHE_HOME'] ?? join(process.env['HOME'] ?? tmpdir(), '.cache');
  const path = join(home, 'deeprepro-tests', pin.file);
  const kept = await readFile(path).catch(() => undefined);
  if (kept !== undefined && hashOf(kept) === pin.sha256) return path;
  const bytes = await download(index, pin);
  if (bytes === undefined) return undefined;
  const found = hashOf(bytes);
  if (found !== pin.sha256)
    throw new Error(`${pin.file} has the hash ${found} instead of ${pin.sha256}: it was changed.`);
  await mkdir(join(home, 'deeprepro-tests'), { recursive: true });
  await writeFile(`${path}.${process.pid}`, bytes);
  await rename(`${path}.${process.pid}`, path);
  return path;
}

async function download(index: string, { name, file }: Pin): Promise<Uint8Array | undefined> {
  const page = `${index}/${name}/`;
  const listing = await reach(page);
  const text = await listing?.text();
  if (text === undefined) return undefined;
  const link = new RegExp(`["']([^"'#]*/${file.replaceAll('.', '\\.')})["'#]`).exec(text)?.[1];
  if (link === undefined) throw new Error(`${page} lists no ${file}.`);
  const answer = await reach(new URL(link, page).href);
  return answer && new Uint8Array(await answer.arrayBuffer());
}

/** The answer of an index; undefined where nothing answers, or nothing that would let us through. */
async function reach(url: string): Promise<Response | undefined> {
  const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined);
  if (answer === undefined || answer.status >= 500 || /^40[37]$/.test(String(answer.status)))
    return undefined;
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}.`);
  return answer;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function textsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = new Map<string, string>();
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (!entry.isFile() || !TEXTS.test(path) || MADE.test(path)) continue;
    const bytes = await readFile(join(folder, path));
    if (bytes.length <= MAX_TEXT_BYTES) texts.set(path, bytes.toString('utf8'));
  }
  return texts;
}
