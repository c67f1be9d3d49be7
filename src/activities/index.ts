import type { Settlement } from '../domain/budget.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Ref } from '../domain/ref.ts';
import type { At, Note, RoundPlan } from '../domain/round.ts';
import type {
  AmendInput,
  BeginInput,
  Call,
  CommitInput,
  DiagnoseInput,
  DraftInput,
  JudgeInput,
  NoteInput,
  PaperInput,
  PlanInput,
  RememberInput,
  ReportInput,
  StateInput,
  ToolsInput,
  TurnInput,
  VerifyInput,
} from './inputs.ts';

/** What a paid activity returns besides its result. */
export interface Paid {
  readonly settlement: Settlement;
}

/** What carrying out a reply led to. */
export type TurnEnd =
  | { readonly kind: 'accepted'; readonly file: Ref; readonly doubts?: Ref }
  | {
      readonly kind: 'go-on';
      readonly conversation: Ref;
      readonly reasons: string[];
      readonly lastAttempt: Ref | null;
      /** More of the file has arrived, and the rest is to come. */
      readonly hasGrown?: boolean;
      /** The file ends here, unwritten, though turns are left. */
      readonly isEnd?: boolean;
    };

/** The activities, one for each verb of the method (DESIGN sections 3 and 5). Each is safe to run twice. */
export interface Activities {
  readPaper(input: Call): Promise<{ paper: Ref }>;
  analyseFigures(input: PaperInput): Promise<Paid & { evidence: Ref }>;
  analyseConcepts(input: PaperInput): Promise<Paid & { evidence: Ref }>;
  analyseAlgorithms(input: PaperInput): Promise<Paid & { evidence: Ref }>;
  extractRequirements(input: PaperInput): Promise<Paid & { requirements: Ref }>;
  draftBlueprint(input: DraftInput): Promise<Paid & { blueprint: Ref }>;
  /** Checks a blueprint that a person edited; what cannot stand is corrected and said. */
  amendBlueprint(input: AmendInput): Promise<{ blueprint: Ref }>;
  begin(input: BeginInput): Promise<At>;
  /** Paid where a model plans; else nothing is asked. */
  planRound(input: PlanInput): Promise<Paid & RoundPlan>;
  takeTurn(
    input: TurnInput,
  ): Promise<Paid & { conversation: Ref; reply: Ref; accepted: Ref | null; doubts?: Ref }>;
  applyTools(input: ToolsInput): Promise<TurnEnd>;
  remember(input: RememberInput): Promise<Paid & { note: Note }>;
  diagnoseRound(input: DiagnoseInput): Promise<{ diagnosis: Ref }>;
  inspectRepository(input: StateInput): Promise<{ diagnosis: Ref }>;
  /** The judge's verdicts on the checks of a round that a model decides. */
  judgeRound(input: JudgeInput): Promise<Paid & { judgement: Ref }>;
  /** The verifier's verdicts on requirements, and on the checks that `judgeRound` would decide. */
  verifyRequirements(input: VerifyInput): Promise<Paid & { verification: Ref }>;
  commitRound(input: CommitInput): Promise<At>;
  noteRun(input: NoteInput): Promise<void>;
  writeReport(input: ReportInput): Promise<{ outcome: Outcome; report: Ref }>;
}
