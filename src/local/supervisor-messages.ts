import { z } from 'zod';

/** How a client reaches Temporal, once server and worker are ready. */
export const Ready = z.object({
  kind: z.literal('ready'),
  /** `host:port` of the server. */
  address: z.string(),
  namespace: z.string(),
  taskQueue: z.string(),
  /** Of the server's web page. */
  uiAddress: z.string(),
  versions: z.object({ deeprepro: z.string(), server: z.string() }),
  /** Of the supervisor. */
  pid: z.int(),
});
export type Ready = Readonly<z.infer<typeof Ready>>;

/** What a client says to the supervisor, one JSON object a line. */
export const ClientMessage = z.discriminatedUnion('kind', [
  /** First: variables for the worker (keys and addresses of providers), which are held in memory only. */
  z.object({
    kind: z.literal('hello'),
    version: z.string(),
    environment: z.record(z.string(), z.string()),
  }),
  /** Live on without clients. */
  z.object({ kind: z.literal('keep') }),
  /** End everything, gracefully. */
  z.object({ kind: z.literal('down') }),
  z.object({ kind: z.literal('status') }),
]);
export type ClientMessage = Readonly<z.infer<typeof ClientMessage>>;

/** What the supervisor holds at the moment. */
export const SupervisorStatus = z.object({
  kind: z.literal('status'),
  version: z.string(),
  pid: z.int(),
  serverPid: z.int().nullable(),
  address: z.string().nullable(),
  uiAddress: z.string().nullable(),
  workerPid: z.int().nullable(),
  isWorkerReady: z.boolean(),
  kept: z.boolean(),
  clients: z.int(),
});
export type SupervisorStatus = Readonly<z.infer<typeof SupervisorStatus>>;

/** What the supervisor says to a client, one JSON object a line. */
export const SupervisorMessage = z.discriminatedUnion('kind', [
  Ready,
  SupervisorStatus,
  /** At once after `hello`. */
  z.object({ kind: z.literal('welcome'), pid: z.int(), version: z.string() }),
  /** A line for the person who waits. */
  z.object({ kind: z.literal('progress'), line: z.string() }),
  /** It cannot go on; one message for the person. */
  z.object({ kind: z.literal('problem'), message: z.string() }),
  z.object({ kind: z.literal('kept') }),
  /** Server and worker have ended. */
  z.object({ kind: z.literal('ended') }),
]);
export type SupervisorMessage = Readonly<z.infer<typeof SupervisorMessage>>;
