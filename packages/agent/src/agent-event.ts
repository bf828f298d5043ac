import type { ApprovalRequest, ToolCall, ToolProgress } from '@toolgate/core';
import type { FinishReason, Usage } from '@toolgate/model';
import type { RunResult } from './run-result.ts';
import type { RunOutcome } from './state/run-outcome.ts';

/**
 * What happens in a run, in order. Exactly one `run-end`, and it is the last event. Text and argument deltas are what
 * the model writes right now; what a call really was and how it ended is said by `tool-start` and `tool-end`.
 */
export type AgentEvent =
  | { readonly kind: 'turn-start'; readonly turn: number }
  | { readonly kind: 'text-delta'; readonly turn: number; readonly index: number; readonly text: string }
  | { readonly kind: 'reasoning-delta'; readonly turn: number; readonly index: number; readonly text: string }
  | { readonly kind: 'refusal-delta'; readonly turn: number; readonly index: number; readonly text: string }
  /** The model began to write a call; nothing runs yet. */
  | {
      readonly kind: 'call-start';
      readonly turn: number;
      readonly index: number;
      readonly callId: string;
      readonly name: string;
    }
  | { readonly kind: 'call-delta'; readonly turn: number; readonly index: number; readonly delta: string }
  | { readonly kind: 'call-end'; readonly turn: number; readonly index: number; readonly callId: string }
  /** Something about the answer that an operator should see; a loss, for example. */
  | { readonly kind: 'warning'; readonly turn: number; readonly code: string; readonly detail: string }
  | {
      readonly kind: 'turn-end';
      readonly turn: number;
      readonly finish: FinishReason;
      readonly usage: Usage | null;
    }
  /** The call is on its way through the gate. */
  | { readonly kind: 'tool-start'; readonly turn: number; readonly call: ToolCall }
  | { readonly kind: 'tool-progress'; readonly callId: string; readonly progress: ToolProgress }
  | { readonly kind: 'tool-end'; readonly turn: number; readonly outcome: RunOutcome }
  | { readonly kind: 'approval-request'; readonly turn: number; readonly approval: ApprovalRequest }
  | { readonly kind: 'run-end'; readonly result: RunResult };
