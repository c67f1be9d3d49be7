import { DEFAULT_TASK_QUEUE } from '../domain/task-queue.ts';

/** The one namespace of a local server. */
export const LOCAL_NAMESPACE = 'default';

/** Names the variables that clients handed over, so that a worker can hand them on. */
const HANDED = 'DEEPREPRO_HANDED_VARIABLES';

/** The environment of a local worker: ours, the variables that clients handed over, and where everything is. */
export function makeWorkerEnvironment(
  home: string,
  address: string,
  fromClients: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...fromClients,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: LOCAL_NAMESPACE,
    DEEPREPRO_HOME: home,
    DEEPREPRO_TASK_QUEUE: DEFAULT_TASK_QUEUE,
    [HANDED]: Object.keys(fromClients).join(','),
  };
}

/** Of a worker's environment, the variables that clients handed over. */
export function handedVariables(environment: NodeJS.ProcessEnv): Record<string, string> {
  const names = (environment[HANDED] ?? '').split(',').filter((name) => name !== '');
  return Object.fromEntries(names.map((name) => [name, environment[name] ?? '']));
}

/** Whether both hold the same variables; not so when there was none before. */
export function isSameEnvironment(
  one: Readonly<Record<string, string>> | undefined,
  other: Readonly<Record<string, string>>,
): boolean {
  if (!one) return false;
  const names = Object.keys(other);
  return (
    names.length === Object.keys(one).length && names.every((name) => one[name] === other[name])
  );
}
