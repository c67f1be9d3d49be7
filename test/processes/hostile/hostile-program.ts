import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { ExceededLimit } from '../../../src/domain/exceeded-limit.ts';
import type { SandboxLimits } from '../../../src/processes/sandbox-command.ts';

const Amounts = z.partialRecord(
  z.enum(['wallMs', 'cpuSeconds', 'memoryBytes', 'fileBytes', 'diskBytes', 'processes']),
  z.number(),
);

/** A program that tries to do what the sandbox must not let it do. Whatever it gets hold of it prints. */
export const HostileProgram = z
  .strictObject({
    /** What it does, as the end of a sentence that begins with "a program that". */
    name: z.string(),
    /** Whether it is among those that every test run tries. */
    isShort: z.boolean().optional(),
    sh: z.string().optional(),
    python: z.string().optional(),
    limits: Amounts.optional(),
    /** The limit that it uses up, telling each amount that it gained as a line `+N`. */
    measures: z.enum(['processes', 'memory', 'scratch', 'disk', 'file', 'time', 'cpu']).optional(),
    expects: z.strictObject({ hit: ExceededLimit }).optional(),
    /** What it looks for is not there at all. */
    printsNothing: z.boolean().optional(),
  })
  .refine(({ sh, python }) => (sh === undefined) !== (python === undefined));
export type HostileProgram = Readonly<z.infer<typeof HostileProgram>>;

const MIB = 1024 ** 2;

/** What a hostile program may use, unless it names another limit. */
export const HOSTILE_LIMITS: SandboxLimits = {
  ...{ wallMs: 10_000, cpuSeconds: 5, memoryBytes: 256 * MIB, fileBytes: 8 * MIB },
  ...{ diskBytes: 32 * MIB, scratchBytes: 16 * MIB, processes: 32, outputBytes: 100_000 },
};

/** All hostile programs, by subject. */
export function readHostilePrograms(): HostileProgram[] {
  const folder = new URL('.', import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return names.sort().flatMap((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    return z.array(HostileProgram).parse(parse(text));
  });
}

/** The command of a program. It ends at once should it ever find itself outside a sandbox. */
export function commandOf({ sh, python }: HostileProgram): {
  readonly command: string;
  readonly args: readonly string[];
} {
  return python === undefined
    ? { command: 'bash', args: ['-c', `${SH_GUARD}\n${sh ?? ''}`] }
    : { command: '/usr/bin/python3', args: ['-c', `${PYTHON_PRELUDE}\n${python}`] };
}

const SH_GUARD = '[ "$(cat /proc/sys/kernel/hostname)" = sandbox ] || exit 99';
const PYTHON_PRELUDE = `
import ctypes, mmap, os, signal, socket, struct, subprocess, sys, threading, time
if open('/proc/sys/kernel/hostname').read() != 'sandbox\\n': os._exit(99)
FILE, PORT, SOCKET = os.environ['CANARY_FILE'], int(os.environ['CANARY_PORT']), os.environ['CANARY_SOCKET']
MARK, MIB = os.environ['CANARY_MARK'], 1 << 20
libc = ctypes.CDLL(None, use_errno=True)
def put(path, text):
    f = os.open(path, os.O_WRONLY | os.O_CREAT, 0o666)
    try: os.write(f, text.encode())
    finally: os.close(f)
def gained(n=1): os.write(1, b'+%d\\n' % n)
`;
