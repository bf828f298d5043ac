/**
 * A run loop that is safe by default: run, stream, suspend and resume.
 *
 * @packageDocumentation
 */
export type { AgentConfig, AgentLimits } from './agent-config.ts';
export { AgentError, type AgentErrorCode, agentErrorCodes } from './agent-error.ts';
export type { AgentEvent } from './agent-event.ts';
export { type Agent, createAgent } from './create-agent.ts';
export type { EngineConfig } from './durable/journal-host.ts';
export { createMemoryEngine } from './durable/memory-engine.ts';
export type {
  DurableHost,
  DurableRun,
  Handler,
  HandlerContext,
  Handlers,
  JournalCodec,
  KnownWait,
  Loop,
  PendingWait,
  RecordedStep,
  RunPhase,
  RunRecord,
  RunStatus,
  SafeError,
  Step,
  StepEffect,
  StepOutcome,
  WaitOptions,
  WaitOutcome,
} from './durable/port.ts';
export { createDurableAgent } from './durable-agent/create-durable-agent.ts';
export type {
  DecideResult,
  DurableAgent,
  DurableEvent,
  DurableStartOptions,
} from './durable-agent/durable-agent.ts';
export type {
  CallInDoubt,
  ContextOf,
  CreateEngine,
  DurableAgentConfig,
  DurableOptions,
  DurableRunInfo,
  EngineParts,
  Reconcile,
  Reconciled,
} from './durable-agent/durable-config.ts';
export type { DurableStatus, PendingApproval } from './durable-agent/durable-status.ts';
export type { RunInput } from './run-input.ts';
export type { OptionsFor, RunOptions } from './run-options.ts';
export type { RunFailure, RunResult } from './run-result.ts';
export type { RunUsage } from './state/loop-state.ts';
export type { RunDecision } from './state/run-decision.ts';
export type { RunOutcome } from './state/run-outcome.ts';
export { RUN_STATE_VERSION, type RunState, type StateCipher } from './state/run-state.ts';
export type { RunWarning } from './state/run-warning.ts';
export { STOP_REASONS, type StopReason } from './stop-reason.ts';
