import type { Edit, ModelCall, ModelEvent } from '@toolgate/model';
import type { TerminalReason } from '../completion/decide-terminal.ts';
import type { AttemptCause } from '../completion/evidence.ts';
import type { ProtocolState } from '../completion/protocol-state.ts';
import type { RepairPolicy } from '../completion/repair-policy.ts';
import type { Projection } from '../projection/projection.ts';
import type { CheckedControlProvider, ControlMeta } from '../provider/control-tool-provider.ts';
import type { RunHandlerOptions } from '../provider/run-handler.ts';
import type { AttemptResult, Observation } from './attempt-result.ts';

/** What one request to one backend with a control tool is made of, whoever opens its attempts. */
export interface ControlledFlowConfig {
  /** What the client asks for, after all hooks that may change it. */
  readonly call: ModelCall;
  /** The provider of the present generation. */
  readonly provider: CheckedControlProvider;
  /** Those of the backend. */
  readonly capabilities: ReadonlySet<string>;
  /** Reconstructs the call after the projection, which is proved again afterwards. */
  readonly prepare?: (call: ModelCall) => ModelCall;
  readonly meta?: Omit<ControlMeta, 'attemptSeq' | 'ordinaryCalls'>;
  readonly policy?: RepairPolicy;
  /** The state of the trajectory before. Default: none. */
  readonly state?: ProtocolState;
  /** A tool of the client's that ends its task, and counts as a completion. */
  readonly clientCompletionTool?: string;
  readonly handler?: RunHandlerOptions;
  /** Sends a result through what every text for the client goes through, once; `undefined` keeps it back. */
  readonly stage?: (text: string) => string | undefined;
  /** Is told of every attempt, without contents. What it throws is ignored. */
  readonly observe?: (record: AttemptRecord) => void;
}

/** One request to one backend with a control tool. */
export interface ControlledRunConfig extends Omit<ControlledFlowConfig, 'provider' | 'handler'> {
  /** The provider of the present generation; `undefined`: the call is opened as it is. */
  readonly provider: CheckedControlProvider | undefined;
  /**
   * Opens one attempt at the backend, always the same one. What it throws before the first output of the first attempt
   * comes out as it is: that is the business of retries and of other candidates.
   */
  readonly open: (call: ModelCall, attempt: OpenedAttempt) => AsyncIterable<ModelEvent>;
  /** Ends the run; nothing is published afterwards. */
  readonly signal: AbortSignal;
  readonly handler?: Omit<RunHandlerOptions, 'signal'>;
}

/** One attempt that is to be opened. */
export interface AttemptPlan {
  readonly projection: Projection | undefined;
  /** From 0. */
  readonly attemptSeq: number;
  /** Whether it is a hidden repair attempt. */
  readonly repair: boolean;
  /**
   * What to change in the client's own JSON on a route of the same protocol; `undefined` for a repair attempt, which has
   * to be encoded.
   */
  readonly edits: readonly Edit[] | undefined;
}

/** What opens an attempt is told of it. */
export interface OpenedAttempt extends AttemptPlan {
  readonly signal: AbortSignal;
}

/** One attempt for metrics and logs: bounded words only. */
export interface AttemptRecord {
  readonly providerId: string;
  readonly attemptSeq: number;
  readonly observation: Observation;
  readonly result: AttemptResult['kind'];
  /** A closed word of ours, or `provider_reason` for one of the provider's own. */
  readonly reason: string;
  readonly cause: AttemptCause;
  readonly decision: 'allow_stop' | 'continue' | 'failed' | 'dropped';
  readonly decisionReason: TerminalReason | '';
  /** The state after this attempt, to be carried on where the trajectory goes on. */
  readonly state: ProtocolState;
}
