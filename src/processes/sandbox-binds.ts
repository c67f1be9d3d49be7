import { chmod, lchown, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bind, ReadOnlyBind } from './sandbox-command.ts';

interface Binds {
  readonly readOnly?: readonly ReadOnlyBind[];
  readonly readWrite?: readonly ReadOnlyBind[];
}

/**
 * What a sandbox shows of the host. As root the command runs as another user, who may not reach what lies in a home:
 * then each is mounted below `folder` first, in a place that is made here. Throws when one is not there.
 */
export async function makeBinds(
  { readOnly = [], readWrite = [] }: Binds,
  folder: string,
  uid: number | undefined,
): Promise<Bind[]> {
  const wanted = [
    ...readOnly.map((bind) => ({ ...bind, isWritable: false })),
    ...readWrite.map((bind) => ({ ...bind, isWritable: true })),
  ];
  if (uid === undefined) return wanted.map((bind) => ({ ...bind, by: undefined }));
  // Others may pass through the folder to what is mounted in it, but not look around.
  if (wanted.length > 0) await chmod(folder, 0o711);
  return Promise.all(
    wanted.map(async (bind, index) => {
      const by = join(folder, `bind-${index}`);
      if ((await stat(bind.from)).isDirectory()) await mkdir(by);
      else await writeFile(by, '');
      if (bind.isWritable) await lchown(bind.from, uid, uid);
      return { ...bind, by };
    }),
  );
}
