import type { JsonObject, JsonValue } from '@toolgate/core';

/**
 * Whether the headers that name the method and the tool of a request say the same as its body. Whatever stands in front
 * of a server may count, limit or permit by them, and the server obeys the body. From revision 2026-07-28 on the SDK
 * demands them; in an older one they need not be there.
 */
export function headersAgree(headers: Headers, { method, params }: JsonObject): boolean {
  const toldMethod = headers.get('mcp-method');
  if (toldMethod !== null && toldMethod !== method) return false;
  const toldName = headers.get('mcp-name');
  return toldName === null || method !== 'tools/call' || toldName === nameOf(params);
}

function nameOf(params: JsonValue | undefined): JsonValue | undefined {
  return typeof params === 'object' && params !== null && Object.hasOwn(params, 'name')
    ? (params as JsonObject)['name']
    : undefined;
}
