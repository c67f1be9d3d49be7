/** Names that a repository gives to modules of its own. An index may have packages so called, but no reproduction means them. */
const HOME_MADE: ReadonlySet<string> = new Set(
  'src utils util helpers common config configs lib core models model data dataset losses layers networks nets modules trainers trainer train scripts experiments envs agents policies baselines tools'.split(
    ' ',
  ),
);

/** Whether a module of this name is one that repositories have themselves. */
export function isHomeMade(module: string): boolean {
  return HOME_MADE.has(module);
}
