import type {
  Blueprint,
  BlueprintFile,
  ConfigurationValue,
  Environment,
  MethodCard,
} from './blueprint.ts';
import type { Experiment } from './experiment.ts';
import type { SameDemands } from './fold-restatements.ts';
import type { FoundRequirement } from './requirement.ts';

/** The plan in words. */
export type PlanText = Pick<Blueprint, 'title' | 'summary' | 'dataFlow' | 'validation'>;

/** One half of a draft: what is run and which files run it. Paths and references are not checked yet. */
export interface FilesDraft {
  readonly plan: PlanText;
  readonly experiments: readonly Experiment[];
  readonly files: readonly BlueprintFile[];
  /** Values that the other half lacks. */
  readonly configuration: readonly ConfigurationValue[];
}

/** The other half, drafted before it: values, borrowed methods, and what the repository runs on. */
export interface SetupDraft {
  readonly configuration: readonly ConfigurationValue[];
  readonly methodCards: readonly MethodCard[];
  readonly environment: Environment;
  /** Rows of the ledger that say one demand. */
  readonly same: readonly SameDemands[];
}

/** What an attack on a draft found. */
export interface Objection {
  /** `blocking`: a result of the paper could not be reproduced; `important`: a demand is missed; `minor`: the rest. */
  readonly severity: 'blocking' | 'important' | 'minor';
  readonly what: string;
  readonly remedy: string;
}

/** A file as an amendment names it: a new one, or the fields that change. */
export type AmendedFile = Pick<BlueprintFile, 'path'> &
  Partial<BlueprintFile> & {
    /** Lines that stand behind those that the file has. */
    readonly moreSignatures?: string;
    readonly moreInstructions?: string;
  };

/** An experiment as an amendment names it: a new one, or the fields that change. */
export type AmendedExperiment = Pick<Experiment, 'id'> & Partial<Experiment>;

/** Changes to a blueprint. What is not named stays as it is. */
export interface BlueprintAmendments {
  readonly plan: Partial<PlanText>;
  readonly files: readonly AmendedFile[];
  /** Paths, keys of values and names of method cards that are to go. */
  readonly retired: readonly string[];
  /** New owners; the file may own other requirements besides. */
  readonly owners: readonly { readonly requirement: string; readonly path: string }[];
  /** Demands that the ledger lacked, with the file that is to meet them, or an empty path. */
  readonly requirements: readonly { readonly found: FoundRequirement; readonly owner: string }[];
  readonly experiments: readonly AmendedExperiment[];
  readonly configuration: readonly ConfigurationValue[];
  readonly methodCards: readonly MethodCard[];
  readonly environment: Partial<Environment>;
}

/** A blueprint, and what code corrected in it, one sentence each. */
export interface CheckedBlueprint {
  readonly blueprint: Blueprint;
  readonly corrections: readonly string[];
}
