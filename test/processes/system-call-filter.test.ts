import assert from 'node:assert/strict';
import { systemCallFilter } from '../../src/processes/system-call-filter.ts';

const ALLOWED = 0x7fff0000;
const NO_SUCH_CALL = 0x50026;
const NO_SUCH_FAMILY = 0x50061;

describe('systemCallFilter', () => {
  for (const [architecture, machine, calls] of [
    [
      'x64',
      0xc000003e,
      { read: 0, write: 1, socket: 41, clone: 56, fork: 57, ptrace: 101, bpf: 321 },
    ],
    [
      'arm64',
      0xc00000b7,
      { read: 63, write: 64, socket: 198, clone: 220, fork: 221, ptrace: 117, bpf: 280 },
    ],
  ] as const) {
    const filter = systemCallFilter(architecture) ?? Buffer.alloc(0);
    const ask = (call: number, first = 0) => answer(filter, { call, machine, first });

    it(`lets programs compute, write and start others on ${architecture}`, () => {
      for (const call of [calls.read, calls.write, calls.clone, calls.fork])
        assert.equal(ask(call), ALLOWED);
    });

    it(`refuses tracing, io_uring and programs in the kernel on ${architecture}`, () => {
      for (const call of [calls.ptrace, calls.bpf, 425, 442]) assert.equal(ask(call), NO_SUCH_CALL);
    });

    it(`allows sockets that have a network of their own only, on ${architecture}`, () => {
      for (const family of [1, 2, 10, 16]) assert.equal(ask(calls.socket, family), ALLOWED);
      for (const family of [0, 3, 17, 38, 40])
        assert.equal(ask(calls.socket, family), NO_SUCH_FAMILY);
    });

    it(`refuses every call by another table than that of ${architecture}`, () => {
      assert.equal(
        answer(filter, { call: calls.write, machine: 0x40000003, first: 0 }),
        NO_SUCH_CALL,
      );
    });
  }

  it('refuses the second table of x64', () => {
    const filter = systemCallFilter('x64') ?? Buffer.alloc(0);
    const call = 0x40000000 + 41;
    assert.equal(answer(filter, { call, machine: 0xc000003e, first: 1 }), NO_SUCH_CALL);
  });

  it('is none for a machine whose calls are not known', () => {
    assert.equal(systemCallFilter('riscv64'), undefined);
  });
});

/** What the kernel would answer: the four instructions that the filter is made of. */
function answer(
  filter: Buffer,
  { call, machine, first }: { call: number; machine: number; first: number },
): number {
  const data = new Map([
    [0, call],
    [4, machine],
    [16, first],
  ]);
  let loaded = 0;
  for (let line = 0; line < filter.length / 8; line += 1) {
    const at = line * 8;
    const value = filter.readUInt32LE(at + 4);
    const jump = (isSo: boolean) => filter.readUInt8(at + (isSo ? 2 : 3));
    switch (filter.readUInt16LE(at)) {
      case 0x20:
        loaded = data.get(value) ?? 0;
        break;
      case 0x15:
        line += jump(loaded === value);
        break;
      case 0x35:
        line += jump(loaded >= value);
        break;
      case 0x06:
        return value;
      default:
        assert.fail(`line ${line}`);
    }
  }
  assert.fail('no answer');
}
