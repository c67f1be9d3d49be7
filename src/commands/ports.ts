import type { Check } from '../domain/check.ts';
import type { ListenAddress } from '../domain/listen-address.ts';
import type { ProjectFile } from '../domain/project-file.ts';
import type { Mode } from '../domain/run-settings.ts';
import type { BatchFolders, KeeperPorts, RunPorts } from '../runs/ports.ts';

/** How much a command says besides its result. */
export type Verbosity = 'quiet' | 'normal' | 'verbose';

/** Where a command writes: results to `out`, progress and errors to `err`. Each text is whole lines without the last break. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** What is only good to know while it lasts: to `err`, but not with --quiet. */
  note(text: string): void;
  /** As --quiet and --verbose say. */
  verbosity(): Verbosity;
  /** Whether a person sees `out` on a terminal that can redraw. */
  readonly isLive: boolean;
  readonly hasColors: boolean;
  /** Width and height in characters, as they are now. */
  columns(): number;
  rows(): number;
  /** What `out` goes to, for views that redraw. */
  readonly stream: NodeJS.WriteStream;
}

/** What commands read of the environment. */
export interface CommandSettings {
  readonly home: string;
  readonly isRemote: boolean;
  readonly model: string | undefined;
  /** The model that is shown the figures. */
  readonly vision?: string | undefined;
  readonly baseUrl: string | undefined;
  /** What `deeprepro.json` of this folder says. */
  readonly project: ProjectFile;
  readonly heartbeatMs: number;
  readonly continueEvery: number | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

/** Of a worker, what the command line says; undefined leaves it to the environment. */
export interface WorkerOptions {
  readonly maxCalls: number | undefined;
  readonly health: ListenAddress | undefined;
  readonly metrics: ListenAddress | undefined;
}

/** All that commands need from outside, handed in by the root. Nothing is opened before it is asked for. */
export interface Ports {
  readonly version: string;
  readonly terminal: Terminal;
  /** Throws `UsageError` for an environment or `.env` that cannot be used. */
  settings(): CommandSettings;
  runs(): RunPorts;
  keeping(): KeeperPorts;
  batches(): BatchFolders;
  /** Throws `UsageError` or `NewerVersion` for a data folder that this version cannot read; a missing one is none. */
  checkData(): Promise<void>;
  /** Ends this machine's engine; false when none was up. */
  down(): Promise<boolean>;
  /**
   * Lets go of the engine. `ended`: it was ours alone, and has let its calls in flight finish; `goes-on`: others
   * keep it, or it is elsewhere.
   */
  leave(): Promise<'ended' | 'goes-on'>;
  /** Runs a worker until it is told to end. */
  /** Looks at machine, data folder, server and models; `isOffline` leaves out all that costs a call. Never rejects. */
  doctor(options: {
    readonly isOffline: boolean;
    readonly model: string | undefined;
    readonly onCheck: (check: Check) => void;
  }): Promise<void>;
  /** Asks a person; undefined where there is nobody to ask. */
  confirm(question: string): Promise<boolean | undefined>;
  /** Tells a person on their desktop, where they asked for that. Never rejects. */
  notify(title: string, text: string): Promise<void>;
  /** What the global options ask for. */
  setManner(manner: { readonly verbosity?: Verbosity; readonly notifies?: true }): void;
  runWorker(options: WorkerOptions): Promise<void>;
  /** Calls back on Ctrl-C, instead of ending the process; returns how to take that back. */
  onInterrupt(listener: () => void): () => void;
  /** Ends the process now. */
  exitNow(code: number): void;
  /** The code that the process ends with. */
  setExitCode(code: number): void;
  /** Files of the demo, absolute. */
  readonly demo: { readonly paper: string; readonly replies: Readonly<Record<Mode, string>> };
}
