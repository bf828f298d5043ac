import { CLIENT_CAPABILITIES_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server';

/** How the person at a client can be reached. */
export interface ElicitationModes {
  readonly form: boolean;
  readonly url: boolean;
}

const NONE: ElicitationModes = Object.freeze({ form: false, url: false });

/**
 * What a client said that it can do: with the request (from revision 2026-07-28 on) or when it connected. A client
 * that names no mode means forms (MCP 2025-11-25, elicitation capability).
 */
export function elicitationModes({ mcpReq }: ServerContext, server: Server | undefined): ElicitationModes {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server?.getClientCapabilities();
  const elicitation = member(declared, 'elicitation');
  if (elicitation === undefined) return NONE;
  const url = member(elicitation, 'url') !== undefined;
  return { url, form: !url || member(elicitation, 'form') !== undefined };
}

function member(value: unknown, name: string): object | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const found: unknown = Reflect.get(value, name);
  return typeof found === 'object' && found !== null ? found : undefined;
}
