import type { Clock } from '@toolgate/core';
import { type Refusal, refuse } from './refusal.ts';

/** Bounds of one key; the part of `KeyLimits` that is enforced at the door. */
export interface AdmissionLimits {
  readonly requestsPerMinute?: number;
  readonly concurrency?: number;
}

/** A place for one request, or why there is none. */
export type Admission =
  | {
      readonly kind: 'admitted' /** Gives the place back; only the first call counts. */;
      readonly release: () => void;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Whom a place is for: calls of clients may wait for somebody who decides, and must not keep that one out. */
export type Door = 'clients' | 'operators';

/** Counts the requests in flight and what each key has left. */
export interface Admissions {
  /** @param door - Default `clients`. */
  admit(keyId: string, limits: AdmissionLimits, door?: Door): Admission;
  readonly inFlight: number;
}

interface KeyState {
  inFlight: number;
  /** Requests that may start now; refilled with time. */
  tokens: number;
  at: number;
}

/** Keys that are idle and full are forgotten when there are more than this. */
const MAX_IDLE_KEYS = 10_000;
const MINUTE_MS = 60_000;
/** Requests of operators in flight. */
const MAX_OPERATORS = 256;
/** A key without a rate has used up nothing when a new configuration gives it one. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/**
 * Makes the counter of a gateway.
 *
 * @param concurrency - Requests of clients in flight over all keys; a function, as it may change with the configuration.
 */
export function createAdmissions(clock: Clock, concurrency: () => number): Admissions {
  const keys = new Map<string, KeyState>();
  const elapsed = clock.elapsed ?? clock.now;
  const inFlight: Record<Door, number> = { clients: 0, operators: 0 };

  const stateOf = (keyId: string, perMinute: number | undefined): KeyState => {
    const known = keys.get(keyId);
    const now = elapsed();
    if (known === undefined) {
      if (keys.size >= MAX_IDLE_KEYS) forgetIdle(keys);
      const state = { inFlight: 0, tokens: perMinute ?? UNLIMITED, at: now };
      keys.set(keyId, state);
      return state;
    }
    if (perMinute === undefined) {
      known.tokens = UNLIMITED;
    } else {
      const refill = ((now - known.at) * perMinute) / MINUTE_MS;
      known.tokens = Math.min(perMinute, known.tokens + Math.max(0, refill));
    }
    known.at = now;
    return known;
  };

  return Object.freeze({
    admit(
      keyId: string,
      { requestsPerMinute, concurrency: own }: AdmissionLimits,
      door: Door = 'clients',
    ): Admission {
      const most = door === 'operators' ? MAX_OPERATORS : concurrency();
      if (inFlight[door] >= most) return refused(refuse('overloaded', { retryAfterSeconds: 1 }));
      const state = stateOf(keyId, requestsPerMinute);
      if (own !== undefined && state.inFlight >= own) {
        return refused(refuse('too_many_requests', { retryAfterSeconds: 1 }));
      }
      if (requestsPerMinute !== undefined) {
        if (state.tokens < 1) {
          const waitMs = ((1 - state.tokens) * MINUTE_MS) / requestsPerMinute;
          return refused(
            refuse('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) }),
          );
        }
        state.tokens -= 1;
      }
      state.inFlight += 1;
      inFlight[door] += 1;
      let held = true;
      return {
        kind: 'admitted',
        release: () => {
          if (!held) return;
          held = false;
          state.inFlight -= 1;
          inFlight[door] -= 1;
        },
      };
    },
    get inFlight() {
      return inFlight.clients + inFlight.operators;
    },
  });
}

function refused(refusal: Refusal): Admission {
  return { kind: 'refused', refusal };
}

/** A key that used up its rate is not forgotten: that would fill it again. Those of the last minute stay. */
function forgetIdle(keys: Map<string, KeyState>): void {
  let newest = 0;
  for (const { at } of keys.values()) newest = Math.max(newest, at);
  for (const [keyId, state] of keys) {
    if (state.inFlight === 0 && newest - state.at > MINUTE_MS) keys.delete(keyId);
  }
}
