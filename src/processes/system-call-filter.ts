/** What differs between machines: the kernel's name for them and its numbers of calls. */
interface Machine {
  readonly audit: number;
  readonly socket: number;
  readonly refused: readonly number[];
  /** From here on, calls of another table of the same machine. */
  readonly otherTable: number | undefined;
}

/** One number on every machine: io_uring, mounts by their newer calls, taking open files of others. */
const REFUSED_EVERYWHERE = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442];

/**
 * Calls that no experiment needs and through which much of what the kernel has to do with others is reached: tracing
 * and memory of other processes, keys, modules, programs and counters in the kernel, mounts and namespaces, files by
 * their number, the kernel's log.
 */
const MACHINES: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000003e,
    socket: 41,
    refused: [
      ...[101, 310, 311, 312, 248, 249, 250, 175, 176, 313, 246, 320, 321, 298, 323],
      ...[165, 166, 155, 161, 272, 308, 304, 300, 167, 168, 169, 163, 179, 103, 172, 173],
    ],
    otherTable: 0x40000000,
  },
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    refused: [
      ...[117, 270, 271, 272, 217, 218, 219, 105, 106, 273, 104, 294, 280, 241, 282],
      ...[40, 39, 41, 51, 97, 268, 265, 262, 224, 225, 142, 89, 60, 116],
    ],
    otherTable: undefined,
  },
};

/** AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK: those that have a network of their own in the sandbox. */
const FAMILIES = [1, 2, 10, 16];

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
/** As a kernel answers that does not have the call, so that libraries go another way. */
const NO_SUCH_CALL = 0x00050000 + 38;
const NO_SUCH_FAMILY = 0x00050000 + 97;
/** Where the kernel puts a call's number, its machine, and its first argument. */
const AT = { call: 0, machine: 4, first: 16 };

/**
 * A filter of system calls in the kernel's form (classic BPF, little-endian), for a machine by Node's name; undefined
 * for one whose numbers we do not know. Sockets of some families reach the host whatever the network's namespace is.
 */
export function systemCallFilter(architecture: string): Buffer | undefined {
  const machine = MACHINES[architecture];
  if (machine === undefined) return undefined;
  const { audit, socket, refused, otherTable } = machine;
  const numbers = [...REFUSED_EVERYWHERE, ...refused];
  return assemble([
    { code: LOAD, value: AT.machine },
    { code: IF_EQUAL, value: audit, no: 'no such call' },
    { code: LOAD, value: AT.call },
    ...(otherTable === undefined
      ? []
      : [{ code: IF_AT_LEAST, value: otherTable, yes: 'no such call' } as const]),
    ...numbers.map((value) => ({ code: IF_EQUAL, value, yes: 'no such call' }) as const),
    { code: IF_EQUAL, value: socket, no: 'allow' },
    { code: LOAD, value: AT.first },
    ...FAMILIES.map((value) => ({ code: IF_EQUAL, value, yes: 'allow' }) as const),
    { code: RETURN, value: NO_SUCH_FAMILY },
    { code: RETURN, value: NO_SUCH_CALL, label: 'no such call' },
    { code: RETURN, value: ALLOW, label: 'allow' },
  ]);
}

type Label = 'no such call' | 'allow';

interface Line {
  readonly code: number;
  readonly value: number;
  readonly label?: Label;
  /** Where to go on; the next line by default. */
  readonly yes?: Label;
  readonly no?: Label;
}

function assemble(lines: readonly Line[]): Buffer {
  return Buffer.concat(
    lines.map(({ code, value, yes, no }, index) => {
      const distance = (to: Label | undefined) =>
        to === undefined ? 0 : lines.findIndex(({ label }) => label === to) - index - 1;
      const bytes = Buffer.alloc(8);
      bytes.writeUInt16LE(code, 0);
      bytes.writeUInt8(distance(yes), 2);
      bytes.writeUInt8(distance(no), 3);
      bytes.writeUInt32LE(value, 4);
      return bytes;
    }),
  );
}
