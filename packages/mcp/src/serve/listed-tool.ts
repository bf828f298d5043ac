import type { Tool } from '@modelcontextprotocol/server';
import type { Gate, ToolDefinition } from '@toolgate/core';
import { toolAnnotations } from './tool-annotations.ts';

/** A gate's tools by name. */
export type GateTools = ReadonlyMap<string, Gate['tools'][number]>;

/** The tools of a gate by name, for look-ups by a foreign key. */
export function gateTools(tools: Gate['tools']): GateTools {
  return new Map(tools.map((tool) => [tool.contract.definition.name, tool]));
}

/** A definition as `tools/list` shows it (MCP, Tool). What is shown is what is enforced. */
export function listedTool(definition: ToolDefinition, tools: GateTools): Tool {
  const { name, title, description, inputSchema, outputSchema } = definition;
  const known = tools.get(name);
  const listed = {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(known === undefined ? {} : { annotations: toolAnnotations(known) }),
  };
  // The SDK's type names the keywords that it knows; a contract's schema is an object schema by construction.
  return listed as Tool;
}
