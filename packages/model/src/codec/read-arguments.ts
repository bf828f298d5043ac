import { canonicalJson, type JsonValue } from '@toolgate/core';
import type { LossLog } from './loss-log.ts';

/**
 * The argument text of a call. Some servers send the arguments as JSON and not as text that holds JSON: that is read
 * as its canonical text, with a loss, so that it is encoded exactly once everywhere.
 */
export function readArguments(value: JsonValue | undefined, pointer: string, losses: LossLog): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  losses.add('approximated', pointer, 'info', 'arguments sent as JSON instead of as text');
  return canonicalJson(value);
}
