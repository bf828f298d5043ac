/**
 * Mount MCP servers as reviewed tools, serve tools over MCP, pin definitions in a lock file.
 *
 * @packageDocumentation
 */
export {};
