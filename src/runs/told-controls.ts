import type { RunRecord } from '../domain/run-record.ts';
import type { RunSettings } from '../domain/run-settings.ts';

/** What the workflow is told of a run's settings: what is as in the first version, fast and not verified, by nothing. */
export function toldControls({
  mode,
  verify = 'off',
}: RunSettings): Pick<RunRecord['controls'], 'mode' | 'verify'> {
  return { ...(mode === 'fast' ? {} : { mode }), ...(verify === 'off' ? {} : { verify }) };
}
