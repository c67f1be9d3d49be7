import assert from 'node:assert/strict';
import {
  macProfile,
  macSandboxCommandLine,
  type MacSandboxSetup,
} from '../../src/processes/sandbox-profile.ts';

// The rules are read here, not run: that needs macOS.
describe('the profile of macOS’s sandbox', () => {
  it('denies all that is not allowed, and allows no network', () => {
    const profile = macProfile(aSetup());
    assert.match(profile, /^\(version 1\)\n\(deny default\)\n/);
    assert.doesNotMatch(profile, /network|mach-lookup|system-socket/);
    assert.match(macProfile(aSetup({ hasNetwork: true })), /\(allow network-outbound\)/);
  });

  it('allows to write the work folder, the scratch folder and what is to be written, and nothing else', () => {
    const [rule, ...others] = rulesFor('file-write*', aSetup({ readWrite: ['/envs/a'] }));
    assert.deepEqual(others, []);
    assert.deepEqual(rule, ['/private/w', '/private/scratch', '/envs/a', '/dev/null']);
  });

  it('allows to read the system and what is named, and of the way there only that it exists', () => {
    const setup = aSetup({ readOnly: ['/Users/ann/python'] });
    const [read = []] = rulesFor('file-read*', setup);
    assert.ok(
      ['/usr', '/System', '/Users/ann/python', '/private/w'].every((at) => read.includes(at)),
    );
    assert.ok(!read.some((at) => ['/', '/Users', '/Users/ann', '/private', '/dev'].includes(at)));
    const [seen = []] = rulesFor('file-read-metadata', setup);
    assert.ok(['/', '/Users', '/Users/ann', '/private'].every((at) => seen.includes(at)));
    assert.match(macProfile(setup), /file-read-metadata \(literal "\/"\)/);
  });

  it('takes a path for a path, whatever characters it has', () => {
    const profile = macProfile(aSetup({ workFolder: '/a")(allow default)(x "\\' }));
    assert.ok(profile.includes('(subpath "/a\\")(allow default)(x \\"\\\\")'), profile);
  });

  it('runs the command with an environment of its own and limits on each process', () => {
    const { command, args } = macSandboxCommandLine(aSetup({ variables: { SEED: '1' } }));
    assert.equal(command, '/usr/bin/env');
    const program = args.indexOf('/usr/bin/sandbox-exec');
    assert.deepEqual(args.slice(0, program), [
      '-i',
      'PATH=/usr/bin:/bin',
      'HOME=/private/scratch',
      'TMPDIR=/private/scratch',
      'USER=sandbox',
      'LANG=en_US.UTF-8',
      'SEED=1',
    ]);
    assert.deepEqual(args.slice(program + 3), [
      '/bin/sh',
      '-c',
      'ulimit -c 0 -n 1024 -t 60 -f 2048 && ulimit -u 420 && exec "$@"',
      'sandbox',
      'python3',
      'run.py',
    ]);
  });
});

/** The paths of each rule for an operation. */
function rulesFor(operation: string, setup: MacSandboxSetup): string[][] {
  const lines = macProfile(setup).split('\n');
  return lines
    .filter((line) => line.startsWith(`(allow ${operation} `))
    .map((line) =>
      [...line.matchAll(/\((?:subpath|literal) "([^"]*)"\)/g)].map(([, at = '']) => at),
    );
}

function aSetup(wish: Partial<MacSandboxSetup> = {}): MacSandboxSetup {
  return {
    ...{ command: 'python3', args: ['run.py'] },
    ...{ workFolder: '/private/w', scratchFolder: '/private/scratch' },
    ...{ readOnly: [], readWrite: [], variables: {}, hasNetwork: false, otherProcesses: 400 },
    limits: { cpuSeconds: 60, fileBytes: 1024 * 1024, processes: 20 },
    ...wish,
  };
}
