// #region wrap
import type { Tool, WrappingTool } from '@toolgate/core';

/** Says how long each execution took. What the tool declares (profile, availability, guards) is found through `unwrap`. */
function measured<Context>(
  tool: Tool<Context>,
  record: (name: string, ms: number) => void,
): WrappingTool<Context> {
  return {
    definition: tool.definition,
    unwrap: () => tool,
    call: async (invocation, call) => {
      const startedAt = performance.now();
      try {
        return await tool.call(invocation, call);
      } finally {
        record(invocation.name, performance.now() - startedAt);
      }
    },
  };
}

// #endregion

export { measured };
