import type { ModelEvent } from '@toolgate/model';
import type { RefusalCode } from '../../http/refusal.ts';
import { failureWord } from '../../upstream/reported-failure.ts';

/** The end of a stream that cannot go on. @param code - Why not, where protocols have words for that. */
export function breakOffEvent(message: string, code?: RefusalCode): ModelEvent {
  const providerCode = code === undefined ? undefined : failureWord(code);
  return {
    kind: 'response-error',
    code: 'model/stream-incomplete',
    message,
    ...(providerCode === undefined ? {} : { providerCode }),
  };
}
