import { isEmptyList, isObject, type Loose } from '../value-shape.ts';
import { mendProgress, PROGRESS } from './mend-progress.ts';

/**
 * A message of a server as the SDK's schemas take it, where a reader has no doubt what it says: `null` and the empty
 * list stand for what is not set and for the empty object in languages that have no other word for them, JSON-RPC 1.0
 * had both `result` and `error` in each answer, and members beside those of the protocol are nothing to us. What is a
 * result and an error at once, or a request and an answer, stays so, and is no message.
 *
 * @returns The same object where nothing had to be changed.
 */
export function mendIncoming(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { method, result, error } = message;
  if (typeof method !== 'string') return mendAnswer(message);
  // What asks and answers at once is read by some as the one, by some as the other.
  return isAbsent(result) && isAbsent(error) ? mendRequest(message, method) : message;
}

const OF_REQUEST: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

function mendRequest(message: Loose, method: string): unknown {
  const mended = new Map(Object.entries(message));
  for (const name of mended.keys()) if (!OF_REQUEST.has(name)) mended.delete(name);
  // What is told has no id.
  if (message['id'] === null && method.startsWith('notifications/')) mended.delete('id');
  const { params } = message;
  if (params === null || isEmptyList(params)) mended.delete('params');
  else if (isObject(params)) {
    const said = mendParams(params);
    mended.set('params', method === PROGRESS ? mendProgress(said) : said);
  }
  return changed(message, mended);
}

/** What may be any value has a `null` that says something. */
const ANY_VALUE: ReadonlySet<string> = new Set(['data']);

function mendParams(params: Loose): Loose {
  const mended = new Map(Object.entries(params));
  for (const [name, value] of mended) if (value === null && !ANY_VALUE.has(name)) mended.delete(name);
  if (isEmptyList(params['_meta'])) mended.delete('_meta');
  return changed(params, mended);
}

function mendAnswer(message: Loose): unknown {
  const { jsonrpc, id, result, error } = message;
  if (result === undefined && error === undefined) return message;
  const said = isAbsent(error) ? 'result' : isAbsent(result) ? 'error' : undefined;
  if (said === undefined || (said === 'result' && isAbsent(result))) return message;
  const mended = new Map<string, unknown>([['jsonrpc', jsonrpc ?? '2.0']]);
  if (!isAbsent(id)) mended.set('id', id);
  mended.set(said, said === 'result' ? mendResult(result) : mendError(error));
  return changed(message, mended);
}

function mendResult(result: unknown): unknown {
  if (isEmptyList(result)) return {};
  if (!isObject(result)) return result;
  const mended = new Map(Object.entries(result));
  if (result['_meta'] === null || isEmptyList(result['_meta'])) mended.delete('_meta');
  if (result['resultType'] === null) mended.delete('resultType');
  return changed(result, mended);
}

function mendError(error: unknown): unknown {
  if (!isObject(error) || typeof error['message'] === 'string') return error;
  return isAbsent(error['message']) ? { ...error, message: '' } : error;
}

/** The object with these members, or itself where it has them already. */
function changed(before: Loose, members: ReadonlyMap<string, unknown>): Loose {
  const names = Object.keys(before);
  const isSame = names.length === members.size && names.every((name) => members.get(name) === before[name]);
  return isSame ? before : Object.fromEntries(members);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
