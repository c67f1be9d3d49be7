import type { Blueprint } from './blueprint.ts';

/** Letters and digits in lower case: `PPO-RND` and `ppo_rnd` are one name. */
export function plainName(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** What the files' entries say they handle, each as one plain name, a line each. */
export function entryWords({ files }: Pick<Blueprint, 'files'>): string {
  return files
    .map((file) =>
      plainName(`${file.path} ${file.purpose} ${file.signatures} ${file.instructions}`),
    )
    .join('\n');
}
