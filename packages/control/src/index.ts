/**
 * Proxy-owned control tools: projection, reassertion, capture and completion.
 *
 * @packageDocumentation
 */

// One request from end to end
export {
  type AttemptResult,
  type Observation,
  observationOf,
  type RefusalReason,
} from './attempt/attempt-result.ts';
export { ControlAttempt, type ControlAttemptConfig } from './attempt/control-attempt.ts';
export { ControlledFlow, type FlowNext } from './attempt/controlled-flow.ts';
export type {
  AttemptPlan,
  AttemptRecord,
  ControlledFlowConfig,
  ControlledRunConfig,
  OpenedAttempt,
} from './attempt/controlled-run.ts';
export { runControlled } from './attempt/run-controlled.ts';
export { sumUsage } from './attempt/sum-usage.ts';
// Bounds
export {
  DEFAULT_MAX_ARGS_BYTES,
  MAX_CONTROL_CALLS,
  MAX_IDENTIFIER_BYTES,
  MAX_INSTRUCTION_BYTES,
  MAX_PROVIDER_ID_BYTES,
  MAX_REASON_CODE_BYTES,
  MAX_RESULT_TEXT_BYTES,
} from './bounds.ts';
// Capture
export { CAPTURE_REASONS, type CaptureReason, type CaptureState } from './capture/capture-reason.ts';
export { ControlCapture } from './capture/control-capture.ts';
// Completion
export {
  type CompletionCheck,
  type CompletionToolOptions,
  completionTool,
} from './completion/completion-tool.ts';
export {
  decideTerminal,
  TERMINAL_REASONS,
  type TerminalDecision,
  type TerminalInput,
  type TerminalReason,
} from './completion/decide-terminal.ts';
export {
  type AttemptCause,
  type AttemptFacts,
  type Evidence,
  evidenceOf,
  type OrdinaryAction,
} from './completion/evidence.ts';
export { fingerprint } from './completion/fingerprint.ts';
export { type AttemptIdentity, PendingResult, type PendingState } from './completion/pending-result.ts';
export { INITIAL_STATE, type ProtocolState } from './completion/protocol-state.ts';
export { readProtocolToken, writeProtocolToken } from './completion/protocol-token.ts';
export { type Published, publishText } from './completion/publish-text.ts';
export type { RepairPolicy } from './completion/repair-policy.ts';
export { buildRepairText, type RepairTextConfig } from './completion/repair-text.ts';
export { ControlError, type ControlErrorCode, controlErrorCodes } from './control-error.ts';
// Projection
export { INELIGIBILITIES, type Ineligibility } from './projection/ineligibility.ts';
export { type Projected, project } from './projection/project.ts';
export { Projection } from './projection/projection.ts';
export { reassert } from './projection/reassert.ts';
// Providers
export type { CompletedCall } from './provider/completed-call.ts';
export type {
  CheckedControlProvider,
  ControlHandleOptions,
  ControlMeta,
  ControlOutcome,
  ControlToolProvider,
} from './provider/control-tool-provider.ts';
export { createProviderSlot, type ProviderSlot } from './provider/provider-slot.ts';
export {
  DEFAULT_HANDLER_TIMEOUT_MS,
  type HandlerFault,
  type HandlerFaultReason,
  type HandlerResult,
  type RunHandlerOptions,
  runHandler,
} from './provider/run-handler.ts';
export { validateCompletedCall } from './provider/validate-completed-call.ts';
export { validateMeta } from './provider/validate-meta.ts';
export { validateOutcome } from './provider/validate-outcome.ts';
export { providerIdentity, validateProvider, validateProviderId } from './provider/validate-provider.ts';
// Specs
export type {
  CheckedControlSpec,
  ControlInstruction,
  ControlSpec,
  ControlToolDeclaration,
} from './spec/control-spec.ts';
export { validateInstruction, validateSpec } from './spec/validate-spec.ts';
