import { z } from 'zod';
import { Role } from './message.ts';

const Name = z.string().min(1);

/** The model of one role, where it is not the others'; what is left out is as for them. */
export const RoleWish = z.strictObject({
  model: Name,
  baseUrl: Name.optional(),
  /** Name of the variable that holds the key. */
  keyEnv: Name.optional(),
  /** `IN,OUT` in USD per million tokens. */
  price: Name.optional(),
});
export type RoleWish = Readonly<z.infer<typeof RoleWish>>;

/** Models of roles that are named apart from the others'. */
export type RoleWishes = Readonly<Partial<Record<Role, RoleWish>>>;

const RoleEntry = z.union([Name.transform((model): RoleWish => ({ model })), RoleWish]);

/** `deeprepro.json` of a folder: what runs that are started there use unless the command line or the environment says otherwise. */
export const ProjectFile = z.strictObject({
  model: Name.optional(),
  baseUrl: Name.optional(),
  keyEnv: Name.optional(),
  price: Name.optional(),
  /** A model's name, or one at another address, by role. */
  roles: z.partialRecord(Role, RoleEntry).optional(),
});
export type ProjectFile = Readonly<z.infer<typeof ProjectFile>>;
