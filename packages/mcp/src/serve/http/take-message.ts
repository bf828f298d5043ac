import { isJSONRPCRequest } from '@modelcontextprotocol/server';
import type { JsonObject } from '@toolgate/core';
import { isObject } from '../../value-shape.ts';
import type { RequestIds } from './request-ids.ts';

/** What a client posted, with our ids in the place of its own. */
export interface TakenMessage {
  readonly taken: JsonObject | undefined;
  /** Of the request that it is. */
  readonly own?: number;
  /** The request that the client does not want any more. */
  readonly cancelled?: number | 'none' | 'several';
}

/** No request has it. */
const NOBODY = 0;

/**
 * Gives a request an id of ours, and finds the one that is cancelled. An id that several requests have cancels none of
 * them: what is stopped by mistake may be half done, and a client that goes away from an answer stops that one call.
 */
export function takeMessage(message: JsonObject | undefined, ids: RequestIds): TakenMessage {
  if (message === undefined) return { taken: undefined };
  const theirs = isJSONRPCRequest(message) ? message.id : undefined;
  if (theirs !== undefined) {
    const own = ids.begin(theirs);
    return { taken: { ...message, id: own }, own };
  }
  const { method, params } = message;
  if (method !== 'notifications/cancelled' || !isObject(params)) return { taken: message };
  const { requestId } = params;
  if (typeof requestId !== 'string' && typeof requestId !== 'number') return { taken: message };
  const cancelled = ids.find(requestId);
  const own = typeof cancelled === 'number' ? cancelled : NOBODY;
  return { taken: { ...message, params: { ...params, requestId: own } }, cancelled };
}
