import type { Blueprint } from '../domain/blueprint.ts';
import type { AlgorithmAnalysis, ConceptAnalysis, FigureEvidence } from '../domain/evidence.ts';
import type { ChatMessage } from '../domain/message.ts';
import type { PaperDocument } from '../domain/paper.ts';
import type { Requirement } from '../domain/requirement.ts';
import { renderBlueprint, renderLedgerRow } from './blueprint-text.ts';
import { paperMessages, requestsText } from './paper-prefix.ts';

/** What the planner knows; the same in all of its calls. */
export interface PlanningInput {
  readonly paper: PaperDocument;
  readonly userRequests: readonly string[];
  readonly figures: FigureEvidence;
  readonly concepts: ConceptAnalysis;
  readonly algorithms: AlgorithmAnalysis;
  readonly requirements: readonly Requirement[];
}

/** A draft under attack or amendment. */
export interface DraftInput extends PlanningInput {
  readonly blueprint: Blueprint;
  /** What code sees wrong in it, a sentence each. */
  readonly audit: readonly string[];
  /** Parts of the paper that no requirement names. */
  readonly passedOver: readonly string[];
}

/** How every call of the planner begins: the paper, then what the analysts found, byte for byte the same. */
export function planningMessages(input: PlanningInput): ChatMessage[] {
  const { figures, concepts, algorithms, requirements } = input;
  const content = [
    `${requestsText(input.userRequests)}# What your colleagues found\nWhere they and the paper disagree, the paper is right.`,
    `## Concepts and experiments\n${concepts.markdown}`,
    `## Algorithms\n${algorithms.markdown}`,
    `## Figures${figures.seen ? '' : ' (read from captions and text; the images were not seen)'}\n${figures.markdown}`,
    `## The ledger of requirements\nid kind places: demand [values] (scope, where it is not main)\n${requirements.map(renderLedgerRow).join('\n')}`,
  ].join('\n\n');
  return [...paperMessages(input.paper), { role: 'user', content }];
}

/** How attack and amendment begin: what the drafts saw, then the draft and what code says of it. */
export function draftMessages(input: DraftInput): ChatMessage[] {
  const { blueprint, audit, passedOver } = input;
  const restated = blueprint.requirements.flatMap(({ id, restates = [] }) =>
    restates.length === 0 ? [] : [[id, ...restates.map((one) => one.id)].join(' = ')],
  );
  const content = [
    `# The plan\n${renderBlueprint(blueprint)}`,
    `# Code's audit of it\n${audit.length > 0 ? audit.map((line) => `- ${line}`).join('\n') : 'Nothing.'}`,
    ...(restated.length > 0
      ? [
          `# Demands said twice\nThe first row of each line counts for all of it; files own that one alone.\n${restated.join('\n')}`,
        ]
      : []),
    ...(passedOver.length > 0
      ? [`# Passed over: no requirement names these parts\n${passedOver.join('\n')}`]
      : []),
  ].join('\n\n');
  return [...planningMessages(input), { role: 'user', content }];
}
