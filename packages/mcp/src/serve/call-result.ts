import type { CallToolResult } from '@modelcontextprotocol/server';
import type { CompletedOutcome, SettledOutcome, ToolDefinition } from '@toolgate/core';
import { contentBlocks } from './content-blocks.ts';

/** Said first where a client would throw a result away that has no structured part. */
const STRUCTURE_LEFT_OUT = 'The tool completed. Its structured result was too large and was left out.';

/**
 * An outcome as the answer to `tools/call`. Only a result that stands carries `structuredContent`: an error is text,
 * and no client has a reason to check it against the output schema.
 */
export function callResult(outcome: SettledOutcome, definition: ToolDefinition | undefined): CallToolResult {
  return outcome.kind === 'completed'
    ? completed(outcome, definition)
    : { content: contentBlocks(outcome.output), isError: true };
}

/** A fixed text that is not a result of the tool. */
export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function completed({ output }: CompletedOutcome, definition: ToolDefinition | undefined): CallToolResult {
  const content = contentBlocks(output);
  const { structured } = output;
  if (structured !== undefined) return { content, structuredContent: structured };
  if (definition?.outputSchema === undefined) return { content };
  // A client that checks against the output schema would refuse this as a success, and nobody would read it.
  return { content: [{ type: 'text', text: STRUCTURE_LEFT_OUT }, ...content], isError: true };
}
