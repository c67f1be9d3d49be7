import { amendBlueprint } from './amend-blueprint.ts';
import { analyseAlgorithms, analyseConcepts, analyseFigures } from './analyse.ts';
import { applyTools } from './apply-tools.ts';
import { begin } from './begin.ts';
import { commitRound } from './commit-round.ts';
import type { Deps } from './deps.ts';
import { diagnoseRound, inspectRepository } from './diagnose.ts';
import { draftBlueprint } from './draft-blueprint.ts';
import { extractRequirements } from './extract-requirements.ts';
import type { Activities } from './index.ts';
import { judgeRound } from './judge-round.ts';
import { noteRun } from './note-run.ts';
import { planRound } from './plan-round.ts';
import { readPaper } from './read-paper.ts';
import { remember } from './remember.ts';
import { takeTurn } from './take-turn.ts';
import { verifyRequirements } from './verify-requirements.ts';
import { writeReport } from './write-report.ts';

/** All activities over the same dependencies: what a worker runs. */
export function createActivities(deps: Deps): Activities {
  return {
    readPaper: readPaper(deps),
    analyseFigures: analyseFigures(deps),
    analyseConcepts: analyseConcepts(deps),
    analyseAlgorithms: analyseAlgorithms(deps),
    extractRequirements: extractRequirements(deps),
    draftBlueprint: draftBlueprint(deps),
    amendBlueprint: amendBlueprint(deps),
    begin: begin(deps),
    planRound: planRound(deps),
    takeTurn: takeTurn(deps),
    applyTools: applyTools(deps),
    remember: remember(deps),
    diagnoseRound: diagnoseRound(deps),
    inspectRepository: inspectRepository(deps),
    commitRound: commitRound(deps),
    judgeRound: judgeRound(deps),
    verifyRequirements: verifyRequirements(deps),
    noteRun: noteRun(deps),
    writeReport: writeReport(deps),
  };
}
