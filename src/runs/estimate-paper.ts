import type { Unit } from '../domain/budget.ts';
import { expectedAtStart, type Estimate, type Range } from '../domain/estimate.ts';
import type { RunSettings } from '../domain/run-settings.ts';
import type { VerifyMode } from '../domain/verification.ts';
import { chooseBudget } from './choose-budget.ts';
import { chooseModels, describeModels, type ModelWish } from './choose-models.ts';
import { estimateFor } from './estimate-run.ts';
import type { RunPorts } from './ports.ts';
import { requireReadable } from './start-run.ts';

/** Stands for a model that nobody named; its price is not known. */
const ANY_MODEL = 'any model';

/** What a person asks an estimate for. */
export interface EstimateWish {
  readonly paper: string;
  readonly supplements: readonly string[];
  readonly mode: RunSettings['mode'];
  readonly model: ModelWish;
  /** When requirements are verified; never where it is absent. */
  readonly verify?: VerifyMode;
}

/** An estimate of a paper, without a run, a key or a call. */
export interface PaperEstimate {
  readonly paperCharacters: number;
  readonly model: string;
  /** The model, and those of roles that have another, in words. */
  readonly modelsInWords: string;
  readonly unit: Unit;
  /** In the unit. */
  readonly whole: Range;
  readonly estimate: Estimate;
}

/** Reads the paper and estimates. Throws `UsageError` where the paper or the model cannot be used. */
export async function estimatePaper(
  ports: Pick<RunPorts, 'checkPaper'>,
  wish: EstimateWish,
): Promise<PaperEstimate> {
  // No model is asked, so that no key is needed; without a name, tokens can be told all the same.
  const named = { ...wish.model, model: wish.model.model ?? ANY_MODEL };
  const keyEnvs = [wish.model, ...Object.values(wish.model.roles ?? {})].map(
    ({ keyEnv }) => keyEnv,
  );
  const keys = Object.fromEntries(keyEnvs.map((name) => [name ?? '', 'not-needed']));
  const chosen = chooseModels(named, keys);
  const { models } = chosen;
  const { unit } = chooseBudget(models, { usd: undefined, tokens: undefined });
  const { characters } = await requireReadable(ports, { ...wish, figures: [] });
  const settings = { mode: wish.mode, models, unit, ...(wish.verify && { verify: wish.verify }) };
  const estimate = estimateFor(settings, characters);
  const { model } = models.executor;
  return {
    paperCharacters: characters,
    model,
    modelsInWords: describeModels(chosen),
    unit,
    whole: expectedAtStart(estimate),
    estimate,
  };
}
