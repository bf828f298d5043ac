/**
 * Provider-neutral model calls and events, codecs for four wire protocols, and drivers that reach a model over HTTP.
 *
 * @packageDocumentation
 */

export { anthropic } from './anthropic/anthropic.ts';
export { ANTHROPIC_DEFAULT_MAX_TOKENS } from './anthropic/anthropic-protocol.ts';
export type { Extensions } from './call/extensions.ts';
export type {
  ContentPart,
  ForeignContent,
  ForeignItem,
  Item,
  MediaContent,
  MessageItem,
  OpaqueReasoning,
  ReasoningItem,
  RefusalContent,
  TextContent,
  ToolCallItem,
  ToolResultItem,
} from './call/item.ts';
export type {
  CallLimits,
  ForeignTool,
  FunctionTool,
  Instruction,
  ModelCall,
  ModelTool,
  ReasoningSettings,
  ResponseFormat,
  Sampling,
  ToolChoice,
} from './call/model-call.ts';
export type { FinishReason, ModelResponse, Usage } from './call/model-response.ts';
export { PROTOCOLS, type Protocol } from './call/protocol.ts';
export { asksClient } from './codec/asks-client.ts';
export type {
  Codec,
  Coded,
  DecodedTools,
  RequestTarget,
  StreamDecoder,
  StreamDecoderOptions,
  StreamEncoder,
  StreamEncoderOptions,
  StreamEnding,
  WireRequest,
} from './codec/codec.ts';
export { codecOf } from './codec/codecs.ts';
export { type FailureClass, failureClass } from './codec/failure-class.ts';
export type { Loss, LossCode, LossSeverity } from './codec/loss.ts';
export { TOOL_ERROR_MARK } from './codec/tool-error-mark.ts';
export { isUnsignedThought } from './codec/unsigned-thought.ts';
export { type EncodedBody, encodeBody } from './driver/encode-body.ts';
export {
  type AuthStyle,
  authHeaders,
  ENDPOINTS,
  type EndpointDefaults,
  requestUrl,
} from './driver/endpoint.ts';
export { createHttpModel } from './driver/http-model.ts';
export type { Fetch, HttpModelConfig } from './driver/http-model-config.ts';
export {
  createAnthropicModel,
  createGeminiModel,
  createOpenaiChatModel,
  createOpenaiResponsesModel,
  type GeminiModelConfig,
  type NamedModelConfig,
} from './driver/named-models.ts';
export {
  type CallPreparer,
  type CallRules,
  createCallPreparer,
  type PreparedCall,
} from './driver/prepare-call.ts';
export { redactSecrets } from './driver/redact-secrets.ts';
export type { AnswerRestorer } from './driver/restore-answer.ts';
export type { RetryOptions } from './driver/retry.ts';
export type { ModelTimeouts } from './driver/watchdog.ts';
export { applyEdits, editBytes } from './edit/apply-edits.ts';
export type { Edit } from './edit/edit.ts';
export type { RequestOutline } from './edit/request-outline.ts';
export {
  createRequestReader,
  type ReadRequest,
  type RequestReader,
  type RequestReaderOptions,
} from './edit/request-reader.ts';
export { CALL_BEGUN, CALL_UNREAD, RUN_BEGUN, type UnreadCall } from './event/call-warning.ts';
export { collectResponse } from './event/collect-response.ts';
export { createEventOrder, type EventOrder } from './event/event-order.ts';
export type { ModelEvent, TextualStart } from './event/model-event.ts';
export { createResponseCollector, type ResponseCollector } from './event/response-collector.ts';
export { responseToEvents } from './event/response-to-events.ts';
export { createGeminiCodec, type GeminiCodecOptions, gemini } from './gemini/gemini.ts';
export { readGeminiPath, writeGeminiPath } from './gemini/gemini-path.ts';
export {
  type CutHistory,
  type CutHistoryOptions,
  cutHistory,
  type LeftOutTool,
} from './history/cut-history.ts';
export { guardHistory, NOT_COMPLETED } from './history/guard-history.ts';
export type { HistoryProfile } from './history/history-profile.ts';
export type { Capability, Model, ModelRequestOptions } from './model.ts';
export { ModelError, type ModelErrorCode, type ModelErrorOptions, modelErrorCodes } from './model-error.ts';
export type { AliasMap } from './naming/alias-map.ts';
export type { AliasRule } from './naming/alias-rule.ts';
export { createIdMap, ID_RULES, type IdMap, type IdRule } from './naming/id-map.ts';
export {
  createNameMap,
  NAME_RULES,
  type NameMap,
  type NameRule,
} from './naming/name-map.ts';
export { renameCall, type WireMaps } from './naming/rename-call.ts';
export { restoreEvent, restoreResponse } from './naming/restore-names.ts';
export type { MissingFinish } from './openai-chat/finish-reason.ts';
export {
  createOpenaiChatCodec,
  type OpenaiChatCodecOptions,
  openaiChat,
} from './openai-chat/openai-chat.ts';
export { type FlatCall, flattenNamespaces } from './openai-responses/flatten-namespaces.ts';
export type { NamespacedName } from './openai-responses/namespaced-name.ts';
export { openaiResponses } from './openai-responses/openai-responses.ts';
export { restoreNamespace } from './openai-responses/restore-namespace.ts';
export { wholeName } from './openai-responses/whole-name.ts';
export { type ProjectedFormat, projectFormat } from './projection/project-format.ts';
export { projectSchema, type SchemaFit, type SchemaProjection } from './projection/project-schema.ts';
export { type OmittedTool, type ProjectedTools, projectTools } from './projection/project-tools.ts';
export {
  type ProviderFitness,
  providerFitness,
  type ToolProvider,
} from './projection/provider-fitness.ts';
export type { SchemaProfile, StrictRules } from './projection/schema-profile.ts';
export { SCHEMA_PROFILES, type SchemaTarget } from './projection/schema-profiles.ts';
export type { ProjectionLimits } from './projection/walk.ts';
export type { SseFault, SseFaultCode, SseItem, SseMessage } from './sse/sse-item.ts';
export { createSseParser, type SseParser, type SseParserOptions } from './sse/sse-parser.ts';
export { type SseMessageFields, writeSseComment, writeSseMessage } from './sse/sse-writer.ts';
