import type { Loss, Usage } from '@toolgate/model';
import type { Page, PageRequest } from './page.ts';

/** Which surface a request came to. */
export type Surface =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic'
  | 'gemini'
  | 'models'
  | 'mcp'
  | 'admin';

/** A candidate that gave no answer to a request. */
export interface CandidateFailure {
  /** `provider/model`, or the provider alone. */
  readonly candidate: string;
  /** Our code for why not. */
  readonly error: string;
}

/** One request, once it is over; never what it or its answer said. */
export interface TrafficEntry {
  /** The request id. */
  readonly id: string;
  /** Milliseconds since the epoch, at its start. */
  readonly at: number;
  readonly surface: Surface;
  /** `undefined` when the key was not recognised. */
  readonly principal?: string;
  readonly keyId?: string;
  /** What the client asked for, cut to 256 characters. */
  readonly model?: string;
  /** Of an admin request, its operation. */
  readonly route?: string;
  /** `provider/model` of the candidate that answered. */
  readonly candidate?: string;
  /** Candidates that were tried. */
  readonly attempts: number;
  /** The candidates that gave no answer, in the order in which they were asked; absent where none failed. */
  readonly failures?: readonly CandidateFailure[];
  readonly streamed: boolean;
  /** HTTP status towards the client; 499 when it went away. */
  readonly status: number;
  /** Our code for what went wrong. */
  readonly error?: string;
  readonly finish?: string;
  readonly usage?: Usage | null;
  readonly losses: readonly Loss[];
  readonly durationMs: number;
  readonly firstByteMs?: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly calls: number;
  /** Number of the configuration that served it. */
  readonly generation: number;
}

/** Which requests are listed; every field narrows. */
export interface TrafficFilter {
  readonly principal?: string;
  readonly route?: string;
  readonly surface?: Surface;
  /** Milliseconds since the epoch; not before. */
  readonly since?: number;
}

/** Keeps metadata of requests, with the same promises as the call log. */
export interface TrafficLog {
  record(entry: TrafficEntry): void;
  list(filter?: TrafficFilter, page?: PageRequest): Promise<Page<TrafficEntry>>;
  get(id: string): Promise<TrafficEntry | undefined>;
  /** Entries that were dropped since the start. */
  readonly dropped: number;
  /** Settles when everything recorded so far is written. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
