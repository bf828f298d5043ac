/**
 * An LLM and MCP gateway with a tool firewall, approvals and a hash-chained audit.
 *
 * @packageDocumentation
 */

// The audit
export { verifyExport } from './audit/chain-check.ts';
export { checkConfig } from './config/check-config.ts';
export type { ClassRule } from './config/class-rule.ts';
export {
  type ClassRuleInput,
  defineGatewayConfig,
  type FirewallInput,
  type GatewayConfigInput,
  type GrantsInput,
  type KeyInput,
  type McpServerInput,
  type ProviderInput,
  type RouteInput,
  type ToolRulesInput,
} from './config/config-input.ts';
export { type ConfigSource, readConfigValue, readJsonText, readYamlText } from './config/config-text.ts';
export type { FirewallApproval, FirewallConfig, FirewallScope } from './config/firewall-config.ts';
export type {
  ApprovalsConfig,
  AuditConfig,
  AuthConfig,
  CandidateConfig,
  ControlConfig,
  GatewayConfig,
  KeyConfig,
  LimitsConfig,
  ListenConfig,
  ProviderConfig,
  ProviderTimeouts,
  RouteConfig,
  StorageConfig,
  WebhookConfig,
} from './config/gateway-config.ts';
export type { ReloadResult } from './config/generations.ts';
export { type LoadConfigOptions, loadConfig, loadMcpServers } from './config/load-config.ts';
export type { McpConfig, McpServerConfig, McpTransportConfig } from './config/mcp-config.ts';
// The configuration
export type { Environment } from './config/missing-variables.ts';
export { type ConfigReport, readConfig } from './config/read-config.ts';
export { Secret } from './config/secret.ts';
// What clients see instead of an answer
export { REFUSALS, type RefusalCode } from './http/refusal.ts';
export type { StoredKey, StoredKeys } from './keys/stored-keys.ts';
export type { Caller } from './llm/firewall/caller.ts';
export { REPLACEMENT_MARK } from './llm/firewall/replacement-text.ts';
export { globalTracer } from './observe/global-tracer.ts';
// Ports
export type {
  ApprovalFilter,
  ApprovalListener,
  ApprovalPageRequest,
  ApprovalRecord,
  ApprovalSettlement,
  ApprovalStatus,
  ApprovalStore,
  CallOrigin,
  DecideResult,
  Decision,
  NewApproval,
  SameCall,
} from './ports/approval-store.ts';
export {
  type AppendOptions,
  type AuditEntry,
  type AuditFault,
  type AuditHead,
  type AuditKind,
  type AuditLog,
  type AuditRecord,
  type AuditVerdict,
  auditKinds,
  type VerifyOptions,
} from './ports/audit-log.ts';
export type { CallEntry, CallFilter, CallLog, CallVerdict } from './ports/call-log.ts';
export {
  type ConfigPlace,
  GatewayError,
  type GatewayErrorCode,
  type GatewayErrorOptions,
  gatewayErrorCodes,
} from './ports/gateway-error.ts';
export type { GatewayStores } from './ports/gateway-stores.ts';
export type { CreatedKey, KeyOrigin, KeyRecord, KeyRing, NewKey } from './ports/key-ring.ts';
export type { Page, PageRequest } from './ports/page.ts';
export type { Access, Grants, KeyLimits, Principal } from './ports/principal.ts';
export type {
  CandidateFailure,
  Surface,
  TrafficEntry,
  TrafficFilter,
  TrafficLog,
} from './ports/traffic-log.ts';
// The gateway
export { createGateway, type Gateway, type GatewayOptions } from './server/create-gateway.ts';
// Stores
export { type OpenAudit, type OpenAuditOptions, openAudit } from './server/open-audit.ts';
export { type OpenStores, type OpenStoresConfig, openStores } from './server/open-stores.ts';
export { tuneProcess } from './server/tune-process.ts';
