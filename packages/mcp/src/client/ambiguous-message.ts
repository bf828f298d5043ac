import { JsonError, type JsonValue, readJson } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';
import { ANY_JSON } from './any-json.ts';

/** Faults that some readers do not see, each of them with another value then. */
const AMBIGUOUS: ReadonlySet<string> = new Set([
  'json/duplicate-member',
  'json/forbidden-member',
  'json/number-range',
]);

/**
 * Reads a text of a server, but no message that two readers understand differently, because a member occurs twice in
 * it or would change a prototype, or because a number is larger than any double: what somebody looked at on the way
 * need not be what arrives.
 *
 * @returns The value; the fault of what is ambiguous; `undefined` for what is no JSON, which the SDK's reader refuses.
 */
export function readUnambiguous(text: string): { readonly value: JsonValue } | McpError | undefined {
  try {
    return { value: readJson(text, ANY_JSON) };
  } catch (cause) {
    if (!JsonError.is(cause)) throw cause;
    if (cause.code === 'json/lone-surrogate') return readHalved(text);
    if (!AMBIGUOUS.has(cause.code)) return undefined;
    return new McpError('mcp/result-invalid', `A message of the server is ambiguous: ${cause.message}`, {
      pointer: cause.pointer,
      cause,
    });
  }
}

/** Half of a surrogate pair is for those to judge who use the text; what comes behind it has to be looked at here. */
function readHalved(text: string): { readonly value: JsonValue } | McpError | undefined {
  const rest = readUnambiguous(
    text.replace(ESCAPES, (written) => (HALF.test(written) ? '\\ufffd' : written)),
  );
  // The grammar is settled: nothing but the halves is different.
  return rest === undefined || McpError.is(rest) ? rest : { value: JSON.parse(text) };
}

const ESCAPES = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|.)/gs;
const HALF = /^\\u[dD][89a-fA-F][\da-fA-F]{2}$/;
