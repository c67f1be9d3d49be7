import { fileURLToPath } from 'node:url';
import { connectLocal } from './connect.ts';
import { isKept } from './kept.ts';
import { handedVariables } from './worker-environment.ts';

/**
 * For a worker whose supervisor is gone without having told it to stop: starts the next supervisor where the data
 * folder is to be kept running, hands it the providers' variables, and leaves the work to its worker.
 */
export async function succeedSupervisor(
  home: string,
  environment: NodeJS.ProcessEnv,
  workerModule: string,
): Promise<void> {
  if (!(await isKept(home))) return;
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const connection = await connectLocal({
    home,
    environment: handedVariables(environment),
    supervisorModule: fileURLToPath(new URL(`./supervisor-main.${extension}`, import.meta.url)),
    workerModule,
    onProgress: () => undefined,
  });
  connection.close();
}
