import type { ExecutionClass } from '@toolgate/core';

/** Classes for tools by name, for clients' tools and MCP servers alike. The first match counts. */
export interface ClassRule {
  /** An exact tool name, or one with `*` for any run of characters. */
  readonly tool: string;
  readonly class: ExecutionClass;
}
