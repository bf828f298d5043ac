import type { FinishReason } from '@toolgate/model';
import type { ScriptedFault } from './script.ts';

/** How a scripted turn may end. */
export const FINISHES: readonly FinishReason[] = [
  'stop',
  'tool-calls',
  'length',
  'content-filter',
  'refusal',
  'paused',
  'error',
  'unknown',
];

/** How a scripted turn may go wrong. */
export const FAULTS: readonly ScriptedFault['kind'][] = ['error', 'cut-off', 'silence', 'garbage'];
