import type { ModelCall, Protocol } from '@toolgate/model';
import { type Refusal, refuse } from '../../http/refusal.ts';

/**
 * Refuses a request for several answers that has tools: only the calls of the first answer are checked.
 *
 * @returns `undefined` for one that may go on.
 */
export function refuseAnswerCount(protocol: Protocol, { sampling, tools }: ModelCall): Refusal | undefined {
  if ((sampling?.candidates ?? 1) <= 1 || (tools ?? []).length === 0) return undefined;
  return refuse('answer_count_unsupported', {
    pointer: protocol === 'gemini' ? '/generationConfig/candidateCount' : '/n',
  });
}
