import { McpError } from '../src/mcp-error.ts';

/** The error that the action has to throw. */
export function mcpFault(action: () => unknown): McpError {
  try {
    action();
  } catch (error) {
    if (McpError.is(error)) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}
