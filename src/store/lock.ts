import { randomUUID } from 'node:crypto';
import { link, readFile, readdir, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isOwnerAlive, Owner, thisOwner } from './owner.ts';

export { isOwnerAlive, Owner, thisOwner };

/** An exclusive claim that this process holds. */
export interface Claim {
  readonly owner: Owner;
  /** Lets the next process have it. Doing so twice is harmless. */
  release(): Promise<void>;
  /**
   * Tells other hosts that we live: call it at least every 10 s where they may contend.
   * False once another process has taken the claim over (this one slept too long).
   */
  touch(): Promise<boolean>;
}

const Content = Owner.extend({ released: z.boolean() });

interface Generation {
  readonly number: number;
  readonly owner: Owner | undefined;
  readonly released: boolean;
  readonly touchedAtMs: number;
}

/**
 * Claims `name` in `folder` for this process, or says who holds it. `details` is kept with the claim, for whoever
 * reads it.
 *
 * Each holder has a file `<name>.<generation>` that it created exclusively; the highest generation holds. Whoever
 * finds the highest released, or its owner dead, creates the next one and then makes sure that it is the highest.
 * The highest file is never deleted, not even by its owner's release, so the generation never goes back: a process
 * that slept between looking and creating lands on a number below the highest and withdraws.
 */
export async function claim(
  folder: string,
  name: string,
  details: Readonly<Record<string, string>> = {},
): Promise<Claim | { heldBy: Owner }> {
  const owner: Owner = { ...thisOwner(), details };
  for (;;) {
    const highest = await readHighest(folder, name);
    if (highest && isHeld(highest)) return { heldBy: highest.owner ?? UNKNOWN_OWNER };
    const number = (highest?.number ?? 0) + 1;
    if (!(await createExclusively(folder, name, number, owner))) continue;
    const numbers = await listGenerations(folder, name);
    if (numbers.at(-1) === number) {
      const older = numbers.filter((other) => other < number);
      await Promise.all(older.map((other) => unlinkIfThere(pathOf(folder, name, other))));
      return holdClaim(folder, name, number, owner);
    }
    await unlinkIfThere(pathOf(folder, name, number));
  }
}

/** The living holder of `name` in `folder`, if there is one. */
export async function readHolder(folder: string, name: string): Promise<Owner | undefined> {
  const highest = await readHighest(folder, name);
  return highest && isHeld(highest) ? (highest.owner ?? UNKNOWN_OWNER) : undefined;
}

/** Stands for the owner of a file that cannot be read; it counts as another host's, so it expires. */
const UNKNOWN_OWNER: Owner = {
  token: '',
  pid: 0,
  host: 'unknown',
  boot: '',
  processStart: '',
  startedAt: '',
  details: {},
};

function isHeld({ owner, released, touchedAtMs }: Generation): boolean {
  return !released && isOwnerAlive(owner ?? UNKNOWN_OWNER, touchedAtMs);
}

function holdClaim(folder: string, name: string, number: number, owner: Owner): Claim {
  const path = pathOf(folder, name, number);
  const isHighest = async () => (await listGenerations(folder, name)).at(-1) === number;
  return {
    owner,
    async release() {
      if (await isHighest()) await replace(folder, path, { ...owner, released: true });
    },
    async touch() {
      const now = new Date();
      await utimes(path, now, now).catch(ignoreMissing);
      return isHighest();
    },
  };
}

async function readHighest(folder: string, name: string): Promise<Generation | undefined> {
  for (;;) {
    const number = (await listGenerations(folder, name)).at(-1);
    if (number === undefined) return undefined;
    const path = pathOf(folder, name, number);
    try {
      const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
      return { number, ...parseContent(text), touchedAtMs: mtimeMs };
    } catch (error) {
      // A newer holder has removed it since we listed: look again.
      ignoreMissing(error);
    }
  }
}

function parseContent(text: string): Pick<Generation, 'owner' | 'released'> {
  try {
    const { released, ...owner } = Content.parse(JSON.parse(text));
    return { owner, released };
  } catch {
    return { owner: undefined, released: false };
  }
}

async function listGenerations(folder: string, name: string): Promise<number[]> {
  const numbers = (await readdir(folder))
    .filter((file) => file.startsWith(`${name}.`))
    .map((file) => file.slice(name.length + 1))
    .filter((suffix) => /^[1-9]\d{0,14}$/.test(suffix))
    .map(Number);
  return numbers.sort((a, b) => a - b);
}

/** Linking a finished file makes name and content appear in one step; it fails where the name exists. */
async function createExclusively(
  folder: string,
  name: string,
  number: number,
  owner: Owner,
): Promise<boolean> {
  const temporary = join(folder, `.${name}.${randomUUID()}.tmp`);
  await writeFile(temporary, JSON.stringify({ ...owner, released: false }), { mode: 0o600 });
  try {
    await link(temporary, pathOf(folder, name, number));
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await unlinkIfThere(temporary);
  }
}

async function replace(folder: string, path: string, content: object): Promise<void> {
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  await writeFile(temporary, JSON.stringify(content), { mode: 0o600 });
  await rename(temporary, path);
}

async function unlinkIfThere(path: string): Promise<void> {
  await unlink(path).catch(ignoreMissing);
}

function pathOf(folder: string, name: string, number: number): string {
  return join(folder, `${name}.${number}`);
}

function ignoreMissing(error: unknown): void {
  if (!hasCode(error, 'ENOENT')) throw error;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
