import { z } from 'zod';

/** A limit of the sandbox that ended a command, or that it most likely failed at. */
export const ExceededLimit = z.enum([
  'time',
  'cpu',
  'memory',
  'file-size',
  'disk',
  'processes',
  'output',
]);
export type ExceededLimit = z.infer<typeof ExceededLimit>;
