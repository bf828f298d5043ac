import { type RecordedStream, readRecordedStreams } from '@toolgate/testing';
import type { Protocol } from '../src/call/protocol.ts';
import type { Codec } from '../src/codec/codec.ts';
import type { Loss } from '../src/codec/loss.ts';
import type { ModelEvent } from '../src/event/model-event.ts';

/** All recordings of a protocol, by name. */
export function recordings(protocol: Protocol): readonly RecordedStream[] {
  return readRecordedStreams([protocol]);
}

/** What a codec makes of a stream that comes in these pieces. */
export function decodePieces(
  codec: Codec,
  pieces: readonly Uint8Array[],
): { readonly events: readonly ModelEvent[]; readonly losses: readonly Loss[] } {
  const decoder = codec.decodeStream();
  const events = pieces.flatMap((piece) => [...decoder.push(piece)]);
  return { events: [...events, ...decoder.end()], losses: decoder.losses };
}

/** What a codec makes of a stream, whole. */
export function decodeText(codec: Codec, text: string): readonly ModelEvent[] {
  return decodePieces(codec, [new TextEncoder().encode(text)]).events;
}
