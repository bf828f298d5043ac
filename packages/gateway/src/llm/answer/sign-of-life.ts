import type { Codec, ModelEvent } from '@toolgate/model';
import { COMMENT } from '../../http/client-stream.ts';

const PING = 'event: ping\ndata: {"type":"ping"}\n\n';
const STILL_AT_WORK = 'event: response.in_progress\n';

/**
 * What a client is told while there is nothing to tell. Some count the silence between events, and their readers give
 * comments to nobody: a call that waits for an approval would be given up, and asked for again. So it is an event where
 * the protocol has one that says nothing new.
 *
 * @param begun - What the answer began with, where it has.
 */
export function signOfLife(codec: Codec, begun: ModelEvent | undefined): string {
  if (codec.protocol === 'anthropic') return PING;
  if (codec.protocol !== 'openai-responses' || begun?.kind !== 'response-start') return COMMENT;
  // The second event of every answer, once more.
  const opening = codec.encodeStream().push(begun);
  const at = opening.indexOf(STILL_AT_WORK);
  return at < 0 ? COMMENT : opening.slice(at);
}
