import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';

const Mount = z.union([
  z.string(),
  z.object({ type: z.enum(['bind', 'volume']), source: z.string(), target: z.string() }),
]);

const Service = z.object({
  image: z.string(),
  build: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  command: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(Mount).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  restart: z.string().optional(),
  stop_grace_period: z.string().optional(),
});
/** A service, as far as tests look at it. */
export type Service = z.infer<typeof Service>;

const Compose = z.object({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.unknown()).default({}),
});
/** The services of docker-compose.yml and its volumes. */
export type Compose = z.infer<typeof Compose>;

const PATH = fileURLToPath(new URL('../../docker-compose.yml', import.meta.url));

/** The text of docker-compose.yml. */
export function composeText(): string {
  return readFileSync(PATH, 'utf8');
}

/** The file with these variables put in. Throws for a variable that must be set and is not. */
export function filledCompose(variables: Readonly<Record<string, string>>): unknown {
  const revive = (_key: string, value: unknown) =>
    typeof value === 'string' ? interpolate(value, variables) : value;
  return JSON.parse(JSON.stringify(parse(composeText())), revive);
}

/** The services of that. */
export function readCompose(variables: Readonly<Record<string, string>>): Compose {
  return Compose.parse(filledCompose(variables));
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?message}`, innermost first. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  const filled = text.replaceAll(
    /\$\{([A-Z_]+)(?::([-?])([^${}]*))?\}/g,
    (_whole, name: string, kind: string | undefined, rest: string | undefined) => {
      const value = variables[name] ?? '';
      if (value !== '' || kind === undefined) return value;
      if (kind === '-') return rest ?? '';
      throw new Error(`${name} is not set: ${rest ?? ''}`);
    },
  );
  return filled === text ? text : interpolate(filled, variables);
}
