export type { BatchFolders } from '../store/batch-folders.ts';
import type { Journal } from '../store/journal.ts';
import type { RunFolders } from '../store/run-folders.ts';
import type { StoreKeeper } from '../store/folder-keeper.ts';
import type { Store } from '../store/store.ts';
import type {
  Approval,
  FileRetry,
  ModelUpdate,
  ReproduceInput,
  RunStatus,
} from '../workflows/messages.ts';

/** A file as it was given; its name tells its form. */
export type SourceText = Readonly<{ name: string; content: Uint8Array }>;

/** A git command that has ended; git itself is told nothing of the person's. */
export interface GitAnswer {
  /** Null when it was killed or never started. */
  readonly exitCode: number | null;
  readonly stdout: string;
  /** False where there is no git. */
  readonly started: boolean;
  /** One line on why it failed; empty when the exit code is 0. */
  readonly failure: string;
}

/** Runs git on the repository `gitFolder`, or on none (to make one), in the folder `cwd`. Never rejects. */
export type Git = (command: {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly gitFolder?: string;
  readonly indexFile?: string;
  readonly input?: string | Uint8Array;
}) => Promise<GitAnswer>;

/** What runs are made of. All but `store`, `journal` and `folders` is opened when it is first needed. */
export interface RunPorts {
  readonly store: Store;
  readonly journal: Journal;
  readonly folders: RunFolders;
  /** For the history of an exported repository, and for differences between rounds. */
  readonly git: Git;
  /** Reads a paper and its supplements as the run will, and says how long they are. Throws `PaperUnreadable`. */
  checkPaper(
    paper: SourceText,
    supplements: readonly SourceText[],
  ): Promise<{ readonly characters: number }>;
  /**
   * The engine, started where it is this machine's own. `keyNames` are variables that hold providers' keys and must
   * reach the worker. Calling again after a loss connects anew; while it stands, the same engine is returned.
   */
  engine(keyNames?: readonly string[]): Promise<Engine>;
  /** The engine where it is up already; starts nothing. */
  engineIfUp(): Promise<Engine | undefined>;
}

/** For the few commands that remove things. */
export interface KeeperPorts extends Pick<RunPorts, 'journal' | 'folders'> {
  readonly keeper: StoreKeeper;
}

/** Where workflows of a run live: as kept in its record. */
export interface Place {
  /** `host:port`, or `local` for the data folder's own server. */
  readonly address: string;
  readonly namespace: string;
  readonly taskQueue: string;
}

/** A step of Temporal that is under way, as the server tells it without a worker. */
export interface PendingActivity {
  readonly name: string;
  readonly attempt: number;
  /** Why the last attempt failed; empty when none did. */
  readonly lastFailure: string;
}

/** What the server knows of a run's workflow. */
export interface EngineRun {
  /** `RUNNING`, `COMPLETED`, `CANCELLED`, … in Temporal's words. */
  readonly status: string;
  readonly isRunning: boolean;
  readonly pending: readonly PendingActivity[];
}

/** A connection to Temporal, in the words of runs. Every method throws `UsageError` when no server answers. */
export interface Engine {
  readonly place: Place;
  /** The server's page, or null where we do not know one. */
  readonly uiAddress: string | null;
  /** False when a workflow of that run is running already. */
  start(input: ReproduceInput): Promise<boolean>;
  /** Undefined when the server does not know the run. `timeoutMs` bounds the request. */
  describe(run: string, timeoutMs?: number): Promise<EngineRun | undefined>;
  /** Asks the workflow itself; rejects when it does not answer within `timeoutMs`. */
  status(run: string, timeoutMs: number): Promise<RunStatus>;
  pause(run: string): Promise<void>;
  resume(run: string, options: { readonly liftPause: boolean }): Promise<void>;
  stop(run: string): Promise<void>;
  cancel(run: string): Promise<void>;
  approveBlueprint(run: string, approval: Approval): Promise<string>;
  setBudget(
    run: string,
    update: { readonly id: string; readonly cap: number | null },
  ): Promise<void>;
  /** Says from when on it holds. */
  setModel(run: string, update: ModelUpdate): Promise<string>;
  setParallel(
    run: string,
    update: { readonly id: string; readonly parallel: number },
  ): Promise<void>;
  /** One more repair of a file, from the next commit on. */
  retryFile(run: string, retry: FileRetry): Promise<void>;
  /** Lets workflows go on after all clients have gone. */
  keep(): Promise<void>;
  /** Whether the connection to this machine's own engine was lost; a connection elsewhere heals by itself. */
  readonly isLost: boolean;
}
