import type { GateTool, ToolAnnotations } from '@toolgate/core';

/**
 * The hints that a client is shown (MCP, ToolAnnotations). They follow from the profile that is enforced; what the
 * author wrote counts only where the profile says nothing, so that a hint never promises more than the gate keeps.
 */
export function toolAnnotations({ contract, profile }: GateTool): ToolAnnotations {
  const { annotations: own = {}, title = own.title } = contract.definition;
  const shown = title === undefined ? {} : { title };
  switch (profile.class) {
    case 'read':
      return { ...shown, readOnlyHint: true, openWorldHint: own.openWorldHint ?? false };
    case 'write':
      return {
        ...shown,
        readOnlyHint: false,
        destructiveHint: own.destructiveHint ?? true,
        idempotentHint: profile.idempotent,
        openWorldHint: own.openWorldHint ?? false,
      };
    case 'external':
    case 'unclassified':
      return unpromised(own, shown, profile.idempotent);
  }
  // A word that is not a class ranks above all of them.
  return unpromised(own, shown, profile.idempotent);
}

/** The most that a tool may do. */
function unpromised(own: ToolAnnotations, shown: ToolAnnotations, idempotentHint: boolean): ToolAnnotations {
  return {
    ...shown,
    readOnlyHint: false,
    destructiveHint: own.destructiveHint ?? true,
    idempotentHint,
    openWorldHint: true,
  };
}
