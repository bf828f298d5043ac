/**
 * Strict JSON, schemas, the tool protocol, policy and the gate: from the text of a proposed call to one truthful
 * outcome. Works in every JavaScript runtime, without `eval` and without I/O.
 *
 * @packageDocumentation
 */

// The gate
export type { ExecuteOptions } from './gate/call-decision.ts';
export { type Clock, MAX_TIMER_MS, systemClock } from './gate/clock.ts';
export { createGate, type Gate, type GateTool } from './gate/create-gate.ts';
export { followSignal } from './gate/follow-signal.ts';
export { DEFAULT_RESULT_BUDGET, type GateConfig, type GateLimits } from './gate/gate-config.ts';
export { GateError, type GateErrorCode, type GateErrorOptions, gateErrorCodes } from './gate/gate-error.ts';
export type {
  ApprovalRequestEvent,
  CallDispatchEvent,
  CallEndEvent,
  CallEventPart,
  CallProgressEvent,
  CallRepairEvent,
  CallStartEvent,
  DecisionEvent,
  DecisionStep,
  GateEvent,
  GateObserver,
  SessionCloseEvent,
  SessionOpenEvent,
  StragglerEvent,
} from './gate/gate-event.ts';
export type { GateSession, SessionReport } from './gate/gate-session.ts';
export { type DeclinedCall, isSignal, type OpenOptions } from './gate/open-options.ts';
export type {
  CompletedOutcome,
  FailedOutcome,
  InvalidOutcome,
  Outcome,
  RejectedOutcome,
  SettledOutcome,
  SuspendedOutcome,
  Truncation,
  UnknownOutcome,
} from './gate/outcome.ts';
export {
  type OutcomeKind,
  REASONS,
  type Reason,
  type ReasonEntry,
  type ReasonOf,
  type UnavailableDetail,
} from './gate/reason.ts';
export { createRedactor, type Redacted, type Redactor, type RedactorOptions } from './gate/redactor.ts';
export type { Repair, RepairRequest } from './gate/repair.ts';
export type { ResultStore, StoredResult } from './gate/result-store.ts';
export type { Straggler } from './gate/session-state.ts';
export { type UnknownReason, unknownText } from './gate/unknown-text.ts';
export { ignoreThrown } from './internal/ignore-thrown.ts';
// JSON
export { canonicalJson } from './json/canonical-json.ts';
export { cloneJson } from './json/clone-json.ts';
export { type Digest, digest, digestText } from './json/digest.ts';
export { freezeJson } from './json/freeze-json.ts';
export { isJsonObject } from './json/is-json-object.ts';
export { JsonError, type JsonPlace } from './json/json-error.ts';
export { JSON_ERROR_CODES, type JsonErrorCode } from './json/json-error-code.ts';
export { appendPointer, joinPointer } from './json/json-pointer.ts';
export type { JsonArray, JsonObject, JsonScalar, JsonValue } from './json/json-value.ts';
export type { JsonMemberPlace } from './json/outline.ts';
export {
  createOutlineReader,
  type OutlinedJson,
  type OutlineReader,
  type OutlineReaderOptions,
} from './json/outline-reader.ts';
export { readJson } from './json/read-json.ts';
export type { ReadJsonOptions } from './json/read-rules.ts';
export { toJsonValue } from './json/to-json-value.ts';
export { writeJson } from './json/write-json.ts';
export type { WriteJsonOptions } from './json/write-rules.ts';
// Policy
export {
  type ApprovalCall,
  type ApprovalDecision,
  type ApprovalRequest,
  type Approver,
  DEFAULT_APPROVAL_LIFETIME_MS,
} from './policy/approval.ts';
export { ApprovalGrant, createGrant, type GrantOptions, type VoidReason } from './policy/approval-grant.ts';
export { type AvailabilityPolicy, availabilityOf, isAvailable } from './policy/availability.ts';
export { EXECUTION_RANKS, rankOf } from './policy/execution-rank.ts';
export { PolicyError, type PolicyErrorCode, policyErrorCodes } from './policy/policy-error.ts';
export { isPrivileged } from './policy/privileged.ts';
export { profileOf, type ResolvedProfile } from './policy/profile-of.ts';
export { readApprovalRequest } from './policy/read-approval-request.ts';
export { resultBudgetOf } from './policy/result-budget-of.ts';
export { type ApprovalRule, createScope, Scope, type ScopeVerdict } from './policy/scope.ts';
export type { ScopeOptions } from './policy/scope-options.ts';
export type { ArgumentRule, StandingGrant } from './policy/standing-grant.ts';
export { type StandingGrantOptions, withStandingGrants } from './policy/with-standing-grants.ts';
// Schemas
export type { CompileSchemaOptions } from './schema/compile-options.ts';
export { compileSchema } from './schema/compile-schema.ts';
export { type DescribeIssuesOptions, describeIssues } from './schema/describe-issues.ts';
export type { FromJsonSchema } from './schema/input/from-json-schema.ts';
export type { InferInput, InferOutput } from './schema/input/infer.ts';
export type { InputSource, StandardInput } from './schema/input/input.ts';
export {
  type AnalysePatternOptions,
  analysePattern,
  type PatternVerdict,
} from './schema/pattern/analyse-pattern.ts';
export type {
  Dialect,
  IntakeNote,
  IntakeReport,
  Issue,
  PatternEngine,
  Schema,
  SchemaTrust,
} from './schema/schema.ts';
export {
  SchemaError,
  type SchemaErrorCode,
  type SchemaErrorOptions,
  schemaErrorCodes,
} from './schema/schema-error.ts';
export { AuthorizationError } from './tool/authorization-error.ts';
// The tool protocol
export type { Authorization, Authorizer } from './tool/authorizer.ts';
export { Binding, type BindingCallOptions, bind } from './tool/binding.ts';
export { CallError, type CallErrorConfig } from './tool/call-error.ts';
export type { CallRefusal, CallRefusalReason } from './tool/call-refusal.ts';
export { Contract, type Prepared } from './tool/contract.ts';
export {
  ContractError,
  type ContractErrorCode,
  type ContractErrorOptions,
  contractErrorCodes,
} from './tool/contract-error.ts';
export { type ContractOptions, type DefineContractOptions, defineContract } from './tool/define-contract.ts';
export { defineTool } from './tool/define-tool.ts';
export { decodeOutput, encodeOutput } from './tool/encode-output.ts';
export { Failure, type FailureConfig, type FailureKind } from './tool/failure.ts';
export { findThrown, type Thrown } from './tool/find-thrown.ts';
export { type GuardConfig, guard } from './tool/guard.ts';
export type { InputValidator, ValidatorIssue, ValidatorVerdict } from './tool/input-validator.ts';
export { Invocation } from './tool/invocation.ts';
export {
  emptyOutput,
  isToolOutput,
  jsonOutput,
  structuredOutput,
  textOutput,
  toolOutput,
} from './tool/make-output.ts';
export { PermanentError } from './tool/permanent-error.ts';
export {
  DEFAULT_TIMEOUT_MS,
  type ExecutionClass,
  type Profile,
  type ResultBudget,
  type ResultOverflow,
} from './tool/profile.ts';
export { recheck } from './tool/recheck.ts';
export { Registry } from './tool/registry.ts';
export type {
  CallContext,
  InputValidatingTool,
  Tool,
  ToolCapabilities,
  ToolProgress,
  WrappingTool,
} from './tool/tool.ts';
export type { ToolCall } from './tool/tool-call.ts';
export type { ToolConfig, ToolResult } from './tool/tool-config.ts';
export type { ToolAnnotations, ToolDefinition } from './tool/tool-definition.ts';
export { ToolError } from './tool/tool-error.ts';
export { foldToolName, isToolName } from './tool/tool-name.ts';
export type {
  FilePart,
  JsonPart,
  MediaPart,
  OutputPart,
  ResourceLinkPart,
  TextPart,
  ToolOutput,
  ToolOutputData,
} from './tool/tool-output.ts';
export { withContext } from './tool/with-context.ts';
export { capability, MAX_WRAPPERS, unwrapChain } from './tool/wrapping.ts';
