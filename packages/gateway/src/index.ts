/**
 * An LLM and MCP gateway with a tool firewall, approvals and a hash-chained audit.
 *
 * @packageDocumentation
 */
export {};
