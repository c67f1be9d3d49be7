import type {
  Blueprint,
  BlueprintFile,
  ConfigurationValue,
  Environment,
  MethodCard,
} from './blueprint.ts';
import type { Experiment } from './experiment.ts';
import { fileMatter } from './file-matter.ts';
import { nearbyFiles } from './file-neighbours.ts';
import type { Finding } from './finding.ts';
import type { FileInterface } from './interface.ts';
import { isScript, isTest, type KnownFile } from './known-file.ts';
import type { PaperDocument } from './paper.ts';
import { ownedSpans, type PaperSpan } from './paper-spans.ts';
import { estimateTokens, withoutReferences } from './paper-text.ts';
import type { FileStatus } from './progress.ts';
import type { AcceptanceCheck, Assignment } from './round.ts';
import type { Requirement } from './requirement.ts';

/** What memory holds of a written file; `notes` is empty while the model has given none. */
export interface MemoryOfFile {
  readonly purpose: string;
  readonly interface: FileInterface;
  readonly notes: string;
  /** What its writer was unsure of, and in which round; absent where it said nothing. */
  readonly doubts?: { readonly round: number; readonly text: string };
}

/** One line of the map from paper to code. */
export type LedgerLine = Pick<Requirement, 'id' | 'place' | 'otherPlaces' | 'demand' | 'scope'> & {
  readonly owners: readonly string[];
};

/** Where a file stands for who writes another: `being written` by this round's subplan, which it does not wait for. */
export type SeenStatus = FileStatus | 'being written';

/** X_{t,i}: everything the executor sees for one file. */
export interface FileContext {
  readonly paper: PaperDocument;
  readonly userRequests: readonly string[];
  /** Whether supplements and paper, without references, are shown whole; else `spans` carries what the file owns. */
  readonly isPaperShown: boolean;
  readonly spans: readonly PaperSpan[];
  readonly blueprint: Pick<
    Blueprint,
    'title' | 'summary' | 'dataFlow' | 'experiments' | 'files' | 'configuration' | 'validation'
  >;
  readonly environment: Environment;
  readonly statuses: ReadonlyMap<string, SeenStatus>;
  readonly file: BlueprintFile;
  readonly requirements: readonly Requirement[];
  /** Of a test: what the files that it needs own and it does not. */
  readonly tested: readonly Requirement[];
  readonly experiments: readonly Experiment[];
  /** Values that its requirements, experiments and words name, with those of the same groups. */
  readonly configuration: readonly ConfigurationValue[];
  readonly methodCards: readonly MethodCard[];
  /** All requirements with the files that own them; for README.md alone, which maps paper to code. */
  readonly ledger: readonly LedgerLine[];
  /** Values that override what the paper states; for README.md alone. */
  readonly deviations: readonly ConfigurationValue[];
  /** Files it needs, in the plan's order. */
  readonly dependencies: readonly KnownFile[];
  /** The file of its family that was written first, whole; null where there is none. */
  readonly exemplar: KnownFile | null;
  /** Written files that import it. */
  readonly callers: readonly KnownFile[];
  /** Files not written yet that will need it. */
  readonly futureCallers: readonly BlueprintFile[];
  /** Interfaces only: what its dependencies need, then its folder. */
  readonly neighbours: readonly KnownFile[];
  readonly findings: readonly Finding[];
  readonly currentText: string | null;
  /** The last content that was refused or rolled back, or null. */
  readonly lastAttempt: string | null;
  /** Why it was refused or rolled back. */
  readonly lastReasons: readonly string[];
  /** What the round's subplan says to this file; absent where no model planned the round. */
  readonly assignment?: FileAssignment;
}

/** I, N and Q of B_t for one file. */
export interface FileAssignment extends Assignment {
  readonly checks: readonly Pick<AcceptanceCheck, 'text' | 'decidedBy'>[];
}

/** Where the run stands, as plain maps by path. */
export interface FileContextParts {
  readonly paper: PaperDocument;
  readonly userRequests: readonly string[];
  readonly blueprint: Blueprint;
  readonly path: string;
  readonly statuses: ReadonlyMap<string, SeenStatus>;
  readonly memory: ReadonlyMap<string, MemoryOfFile>;
  /** Contents of written files; those of dependencies, importers and the file itself are used. */
  readonly texts: ReadonlyMap<string, string>;
  /** Written files that import it, read off their code. */
  readonly importers: readonly string[];
  /** Open findings; those of other files are ignored. */
  readonly findings: readonly Finding[];
  readonly lastAttempt: string | null;
  readonly lastReasons: readonly string[];
  readonly assignment?: FileAssignment;
}

/** Tokens that the parts of a context may take; a caller lowers them when a model's window is small. */
export interface ContextLimits {
  /** Supplements and paper are shown whole up to this. */
  readonly paperTokens: number;
  /** Spans of the paper, where it is not shown whole. */
  readonly spanTokens: number;
  /** Whole texts of dependencies and callers. */
  readonly textTokens: number;
  /** Interfaces of neighbours. */
  readonly signatureTokens: number;
}

export const CONTEXT_LIMITS: ContextLimits = {
  paperTokens: 60_000,
  spanTokens: 30_000,
  textTokens: 10_000,
  signatureTokens: 24_000,
};

/**
 * What the executor sees for the file at `path`, or undefined when the blueprint has no such file. Pure: the same parts
 * give the same context, whatever was written first.
 */
export function buildFileContext(
  parts: FileContextParts,
  limits: ContextLimits = CONTEXT_LIMITS,
): FileContext | undefined {
  const { paper, userRequests, blueprint, path, texts, statuses } = parts;
  const file = blueprint.files.find((each) => each.path === path);
  if (!file) return undefined;
  const isOfPaper = concernsPaper(file);
  const isPaperShown = isOfPaper && paperTokens(paper) <= limits.paperTokens;
  const matter = fileMatter(blueprint, file, parts.assignment);
  return {
    paper,
    userRequests,
    isPaperShown,
    spans:
      isPaperShown || !isOfPaper ? [] : ownedSpans(paper, matter.requirements, limits.spanTokens),
    blueprint,
    environment: blueprint.environment,
    statuses,
    file,
    ...matter,
    ...nearbyFiles(parts, file, limits),
    findings: parts.findings.filter((each) => each.path === path && each.resolvedInRound === null),
    currentText: texts.get(path) ?? null,
    lastAttempt: parts.lastAttempt,
    lastReasons: parts.lastReasons,
    ...(parts.assignment && { assignment: parts.assignment }),
  };
}

/**
 * A list of packages and a script that runs planned commands say nothing that the plan does not; a test or fixture that
 * owns no requirement checks what its entry says.
 */
function concernsPaper({ path, owns }: BlueprintFile): boolean {
  if (isTest(path)) return owns.length > 0;
  return !isScript(path) && !/(?:^|\/)requirements[\w.-]*\.txt$/i.test(path);
}

/** Tokens, estimated, of supplements and paper without references. */
export function paperTokens({ paper, supplements }: PaperDocument): number {
  return [paper, ...supplements].reduce(
    (sum, text) => sum + estimateTokens(withoutReferences(text)),
    0,
  );
}
