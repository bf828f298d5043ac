/**
 * Mount MCP servers as reviewed tools, serve tools over MCP, pin definitions in a lock file.
 *
 * @packageDocumentation
 */

// Mounting
export type { ClientHooks } from './client/client-hooks.ts';
export type { CustomServer, HttpServer, ServerTransport, StdioServer } from './client/server-transport.ts';
// The configuration of servers
export { describeServer } from './config/describe-server.ts';
export type {
  ConfigNote,
  ConfiguredServer,
  ConfiguredTransport,
  McpConfig,
  ToolRuleConfig,
} from './config/mcp-config.ts';
export { type ReadMcpConfigOptions, readMcpConfig } from './config/read-mcp-config.ts';
export type { Finding } from './intake/finding.ts';
export { linearPatterns } from './intake/linear-patterns.ts';
export { type LookAlike, lookAlikes, type NamedTool } from './intake/look-alike.ts';
// The lock file
export { diffLock } from './lock/diff-lock.ts';
export type { DiffRun, DriftReport, FieldChange, ToolDrift } from './lock/drift-report.ts';
export {
  EMPTY_LOCK,
  LOCK_FILE_NAME,
  LOCK_MODES,
  type LockedDefinition,
  type LockedServer,
  type LockedTool,
  type LockFile,
  type LockMode,
  lockedServer,
  lockedTool,
} from './lock/lock-file.ts';
export { readLock } from './lock/read-lock.ts';
export { toLockedTool } from './lock/to-locked-tool.ts';
export { writeLock } from './lock/write-lock.ts';
export { McpError, type McpErrorCode, type McpErrorOptions, mcpErrorCodes } from './mcp-error.ts';
export type { MountConfig, MountLimits, MountLock } from './mount/mount-config.ts';
export type { MountEvent } from './mount/mount-event.ts';
export { type McpMount, mountMcp } from './mount/mount-mcp.ts';
export type { MountedFacts, MountedTool, MountProblem, MountReport } from './mount/mount-report.ts';
export type { MountRule } from './mount/mount-rule.ts';
export { type FailedMount, type McpMounts, mountServers } from './mount/mount-servers.ts';
// Serving
export {
  type ApprovalDesk,
  type ApprovalDeskOptions,
  createApprovalDesk,
  type DeskDecision,
  type DeskEntry,
  type DeskQuery,
  type MemoryApprovalDesk,
} from './serve/approval-desk.ts';
export type { HttpListening, ListenOptions } from './serve/http/listen-http.ts';
export type { Accepted, Authenticate, Identity, Refused } from './serve/identity.ts';
export type { ExtensionPort, ServeExtension } from './serve/serve-extension.ts';
export { type McpService, serveMcp } from './serve/serve-mcp.ts';
export type { ApprovalPrompt, ServeLimits, ServeOptions, ServerInfo } from './serve/serve-options.ts';
export type { PipeOptions, PipeService } from './serve/stdio/serve-pipe.ts';
