/** Where a download puts its file. One that fails throws with one line that says why. */
export interface Download {
  /** An empty folder of its own. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  /** Where Temporal's own downloads come from, to ask whether it can be reached. */
  readonly site?: string;
}
