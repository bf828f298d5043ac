/**
 * Mount MCP servers as reviewed tools, serve tools over MCP, pin definitions in a lock file.
 *
 * @packageDocumentation
 */

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
