import type { GateErrorCode, JsonValue, OutcomeKind, Reason } from '@toolgate/core';
import type { Capability } from './capability.ts';
import type { TextSpec } from './text-spec.ts';

/** The parts of the corpus. One data file each. */
export const corpusGroups = [
  'arguments',
  'schemas',
  'names',
  'results',
  'handlers',
  'policies',
  'turns',
] as const;

/** A part of the corpus: what kind of trouble its cases make. */
export type CorpusGroup = (typeof corpusGroups)[number];

/** One tool of a case, as data. What cannot be data is named by the id of a behaviour. */
export interface CorpusToolSpec {
  readonly name: TextSpec;
  readonly title?: TextSpec;
  /** Default: a harmless sentence. */
  readonly description?: TextSpec;
  /** Any JSON value: a hostile definition need not hold a schema. Default: an open object. */
  readonly inputSchema?: JsonValue;
  /** The schema as JSON text, for what a JSON file cannot carry; stands instead of `inputSchema`. */
  readonly inputSchemaText?: TextSpec;
  readonly outputSchema?: JsonValue;
  readonly annotations?: JsonValue;
  /** Id of a way to make the definition hostile; see `definitionShapes`. */
  readonly shape?: string;
  /** `foreign`: written by somebody else, such as an MCP server. Default `own`. */
  readonly trust?: 'own' | 'foreign';
  readonly class?: string;
  /** A constant key, or `{ member }` for the value of that argument. */
  readonly resourceKey?: string | { readonly member: string };
  readonly timeoutMs?: JsonValue;
  readonly privileged?: JsonValue;
  readonly resultBudget?: JsonValue;
  /** Id of what the tool does when it runs; see `handlers`. Default `echo`: it returns its arguments. */
  readonly handler?: string;
  /** What the tool returns; stands instead of `handler`. */
  readonly returns?: JsonValue;
  /** Id of a policy that is asked before every execution; see `authorizers`. */
  readonly authorize?: string;
  /** Id of a policy that says whether the tool is offered; see `availabilities`. */
  readonly available?: string;
  /** Id of admission rules besides the schema; see `validators`. */
  readonly validate?: string;
}

/** Which tools a run may use, and which calls need somebody's yes. */
export interface CorpusPolicy {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Id of who answers for calls that need approval; see `approvers`. Absent: no call needs any. */
  readonly approver?: string;
  /** Calls of this class and above need approval. Default: all calls. */
  readonly approvalThreshold?: string;
  /** How long a decision may take. */
  readonly approvalLifetimeMs?: number | 'none';
}

/** The right outcome of one call. */
export interface CallExpectation {
  /** `ended`: the system stops the run with an error; nothing goes to the model. */
  readonly kind: OutcomeKind | 'ended';
  /** With `ended`, the code of the error. Strict only. */
  readonly reason: Reason | GateErrorCode;
  /** Whether the handler runs: `true` is exactly once. */
  readonly ran: boolean;
  /** Exactly what the handler gets. Not looked at when absent. */
  readonly received?: JsonValue;
  /** Exactly what the model reads. Strict only. */
  readonly modelText?: string;
  /** What the model's text has to contain, so that a model can correct its call. Strict only. */
  readonly modelSees?: readonly string[];
  /** What must not occur in the model's text, nor in what is stored or sent with it. */
  readonly modelMustNotSee?: readonly TextSpec[];
  /** UTF-8 bytes that the model's text may have. */
  readonly maxModelBytes?: number;
}

/** A decision about a call that was suspended, brought along by a call. */
export interface CorpusResume {
  /** The id of the suspended call. */
  readonly of: string;
  readonly decision: 'allow' | 'decline';
  /** How much time passes before, in milliseconds. */
  readonly afterMs?: number;
}

/** One proposed call with its right outcome. */
export interface CorpusCall {
  /** Default `call-1`, `call-2`, … */
  readonly id?: TextSpec;
  readonly name: TextSpec;
  readonly arguments: TextSpec;
  /** `false`: the provider did not finish it. Default `true`. */
  readonly complete?: boolean;
  /** The decision that this call is made with. Default: none. */
  readonly resume?: CorpusResume;
  readonly expect: CallExpectation;
}

/** One case of the corpus. */
export interface CorpusCase {
  /** `<group>/<slug>`, unique. */
  readonly id: string;
  readonly group: CorpusGroup;
  /** A statement that is true of a system that passes. */
  readonly title: string;
  readonly tools: readonly CorpusToolSpec[];
  /** Whether the tools can be registered and offered. Default `accepted`. */
  readonly definition?: 'accepted' | 'refused';
  /** The code of the refusal. Strict only. */
  readonly code?: string;
  /** The names that may be offered to the model, in any order. */
  readonly advertised?: readonly string[];
  readonly policy?: CorpusPolicy;
  /** Id of what somebody does between registration and the first call; see `edits`. */
  readonly edit?: string;
  /** When the run is cancelled: before the first call, or as soon as a handler runs. */
  readonly cancel?: 'before' | 'during';
  /** All calls are of one turn. Default `false`: each is a turn of its own, one after the other. */
  readonly together?: boolean;
  readonly calls: readonly CorpusCall[];
  /** Handlers that may run at the same time at most. */
  readonly maxOverlap?: number;
  /** The arguments `n` of all executions, in order of their start. */
  readonly order?: readonly number[];
  /** What a system must be able to express, besides what follows from the other members. */
  readonly needs?: readonly Capability[];
  /** Why this is the right outcome. */
  readonly why: string;
  /** A public report of the fault in the field: `owner/repository#number` or an address. */
  readonly source?: string;
}
