/** Codes of JSON-RPC 2.0 and of the reserved range, as the SDK's transports use them. */
export const CODES: Readonly<
  Record<'parse' | 'request' | 'params' | 'internal' | 'server' | 'session' | 'header', number>
> = Object.freeze({
  parse: -32_700,
  request: -32_600,
  params: -32_602,
  internal: -32_603,
  server: -32_000,
  session: -32_001,
  header: -32_020,
});

/** An HTTP answer before a message was taken: a JSON-RPC error that belongs to no request. */
export function refusal(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
  return new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } });
}
