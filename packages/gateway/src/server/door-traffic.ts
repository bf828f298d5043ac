import type { DoorAnswer } from '../http/door.ts';
import type { TrafficEntry } from '../ports/traffic-log.ts';

/**
 * The entry of the traffic log for an answer at a door.
 *
 * @param now - Milliseconds since the epoch.
 * @returns `undefined` where nobody knows who asked: strangers do not fill the log.
 */
export function doorTraffic(answer: DoorAnswer, now: number, generation: number): TrafficEntry | undefined {
  const {
    durationMs,
    operation,
    principal,
    refusal,
    requestBytes,
    requestId,
    responseBytes,
    status,
    surface,
  } = answer;
  if (principal === undefined || surface === undefined) return undefined;
  return Object.freeze({
    id: requestId,
    at: Math.round(now - durationMs),
    surface,
    principal: principal.id,
    keyId: principal.keyId,
    ...(operation === undefined ? {} : { route: operation }),
    attempts: 0,
    streamed: false,
    status,
    ...(refusal === undefined ? {} : { error: refusal.code }),
    losses: Object.freeze([]),
    durationMs,
    requestBytes,
    responseBytes,
    calls: 0,
    generation,
  });
}
