/** Objects in objects that are looked into; a handshake has no deeper ones that matter. */
const MAX_DEPTH = 4;

/**
 * The result of a handshake without members that are `null`: servers write that whose language has no other word for
 * what is not set, and the SDK's schemas refuse the whole handshake for it. Tools that are `null` are announced all the
 * same: the list says whether there are any.
 */
export function mendHandshake(result: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const mended = withoutNulls(result, MAX_DEPTH);
  const { capabilities } = result;
  if (!isRecord(capabilities)) return { ...mended, capabilities: capabilities ?? {} };
  if (capabilities['tools'] !== null) return mended;
  return { ...mended, capabilities: { ...withoutNulls(capabilities, MAX_DEPTH - 1), tools: {} } };
}

function withoutNulls(record: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
  const kept = Object.entries(record).filter(([, value]) => value !== null);
  if (depth === 1) return Object.fromEntries(kept);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isRecord(value) ? withoutNulls(value, depth - 1) : value]),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
