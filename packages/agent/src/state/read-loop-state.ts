import { isJsonObject, type JsonValue } from '@toolgate/core';
import type { LoopState } from './loop-state.ts';

const LISTS = ['items', 'open', 'outcomes', 'seen', 'declined', 'decided', 'warnings'] as const;
const COUNTS = ['turns', 'workedMs', 'staleTurns', 'fruitlessTurns'] as const;
const RECORDS = ['usage', 'calls', 'advertised'] as const;

/**
 * Reads the body of a state. It was signed, so it is what we wrote; this finds a body that another release wrote under
 * the same version, before it can mislead a run.
 *
 * @throws TypeError that names the member.
 */
export function readLoopState(value: JsonValue): LoopState {
  if (!isJsonObject(value)) throw new TypeError('the body of a state is an object');
  const { runId, principal, text } = value;
  if (typeof runId !== 'string') throw wrong('runId');
  if (principal !== null && typeof principal !== 'string') throw wrong('principal');
  if (typeof text !== 'string') throw wrong('text');
  for (const name of LISTS) if (!Array.isArray(value[name])) throw wrong(name);
  if (value['declinedCalls'] !== undefined && !Array.isArray(value['declinedCalls']))
    throw wrong('declinedCalls');
  for (const name of COUNTS) if (!isCount(value[name])) throw wrong(name);
  for (const name of RECORDS) if (!isJsonObject(value[name])) throw wrong(name);
  for (const entry of value['open'] as readonly JsonValue[]) {
    const { call, outcome } = isJsonObject(entry) ? entry : {};
    if (!isJsonObject(call) || !isJsonObject(outcome)) throw wrong('open');
    if (typeof call['id'] !== 'string' || outcome['callId'] !== call['id']) throw wrong('open');
  }
  return value as unknown as LoopState;
}

function isCount(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && value >= 0;
}

function wrong(name: string): TypeError {
  return new TypeError(`the body of the state has no usable ${name}`);
}
