import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { groupPlaces, makeGroup } from '../../src/processes/memory-group.ts';

describe('groupPlaces', () => {
  it('finds the group that we are in, in the first version', () => {
    const mounts = [
      '30 29 0:26 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu',
      '31 29 0:27 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory',
    ];
    assert.deepEqual(groupPlaces(mounts.join('\n'), '8:pids:/\n4:memory:/user/7\n'), [
      { version: 1, folder: '/sys/fs/cgroup/memory/user/7' },
    ]);
  });

  it('finds it where a container sees a part of the groups only', () => {
    const mount = '31 29 0:27 /docker/ab /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory';
    assert.deepEqual(groupPlaces(mount, '4:memory:/docker/ab/x'), [
      { version: 1, folder: '/sys/fs/cgroup/memory/x' },
    ]);
  });

  it('finds all groups above ours in the second version', () => {
    const mount = '26 22 0:23 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw';
    assert.deepEqual(
      groupPlaces(mount, '0::/user.slice/user-7.slice/app.scope\n').map(({ folder }) => folder),
      [
        '/sys/fs/cgroup/user.slice/user-7.slice/app.scope',
        '/sys/fs/cgroup/user.slice/user-7.slice',
        '/sys/fs/cgroup/user.slice',
        '/sys/fs/cgroup',
      ],
    );
  });

  it('finds none where there is none', () => {
    assert.deepEqual(groupPlaces('', ''), []);
    assert.deepEqual(groupPlaces('22 1 0:20 / / rw - ext4 /dev/a rw', '0::/'), []);
  });
});

describe('makeGroup', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'groups-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('limits memory by the second version, and reads there whether a process was killed', async () => {
    const group = await makeGroup({ version: 2, folder }, 1000);
    const at = dirname(group.entry);
    assert.equal(basename(group.entry), 'cgroup.procs');
    assert.equal(await readFile(join(at, 'memory.max'), 'utf8'), '1000');
    assert.equal(await group.wasExceeded(), false);
    await writeFile(join(at, 'memory.events'), 'max 5\noom 1\noom_kill 0\noom_group_kill 0\n');
    assert.equal(await group.wasExceeded(), false);
    await writeFile(join(at, 'memory.events'), 'max 5\noom 1\noom_kill 2\noom_group_kill 0\n');
    assert.equal(await group.wasExceeded(), true);
  });

  it('leaves nothing where no limit can be set', async () => {
    await assert.rejects(makeGroup({ version: 2, folder: join(folder, 'none') }, 1000));
    assert.deepEqual(await readdir(folder), []);
  });
});
