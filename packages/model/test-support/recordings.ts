import { readdirSync, readFileSync } from 'node:fs';
import type { Protocol } from '../src/call/protocol.ts';
import type { Codec } from '../src/codec/codec.ts';
import type { Loss } from '../src/codec/loss.ts';
import type { ModelEvent } from '../src/event/model-event.ts';

/** One recorded stream. */
export interface Recording {
  /** File name without its ending. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The same answer as the wire gives it whole, where there is one. */
  readonly whole: unknown;
}

/** All recordings of a protocol, by name. */
export function recordings(protocol: Protocol): readonly Recording[] {
  const folder = new URL(`../fixtures/${protocol}/`, import.meta.url);
  const files = readdirSync(folder).sort();
  return files
    .filter((file) => file.endsWith('.sse'))
    .map((file) => {
      const name = file.slice(0, -'.sse'.length);
      const whole = files.includes(`${name}.json`)
        ? readFileSync(new URL(`${name}.json`, folder), 'utf8')
        : undefined;
      return {
        name,
        bytes: new Uint8Array(readFileSync(new URL(file, folder))),
        whole: whole === undefined ? undefined : JSON.parse(whole),
      };
    });
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
