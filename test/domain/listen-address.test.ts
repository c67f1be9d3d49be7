import assert from 'node:assert/strict';
import { formatListenAddress, parseListenAddress } from '../../src/domain/listen-address.ts';

describe('parseListenAddress', () => {
  const good = [
    ['8080', '127.0.0.1', 8080],
    ['0.0.0.0:80', '0.0.0.0', 80],
    ['worker.internal:9464', 'worker.internal', 9464],
    ['[::1]:0', '::1', 0],
  ] as const;
  for (const [text, host, port] of good) {
    it(`reads ${text}`, () => {
      assert.deepEqual(parseListenAddress(text), { host, port });
    });
  }
  for (const text of ['', ':80', '70000', 'host', 'host:', '::1:80', 'http://host:80', 'a b:80']) {
    it(`refuses "${text}"`, () => {
      assert.equal(parseListenAddress(text), undefined);
    });
  }
});

describe('formatListenAddress', () => {
  it('writes what is read again', () => {
    for (const text of ['127.0.0.1:80', '[::1]:80']) {
      const address = parseListenAddress(text);
      assert.equal(address && formatListenAddress(address), text);
    }
  });
});
