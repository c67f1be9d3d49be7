import { z } from 'zod';
import { RepositoryPath } from './path.ts';
import { Ref } from './ref.ts';

/** R, the repository as a value: path → content. */
export const Tree = z.record(RepositoryPath, Ref);
export type Tree = Readonly<Record<string, Ref>>;
