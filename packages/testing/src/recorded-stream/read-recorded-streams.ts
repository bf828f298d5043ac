import { readdirSync, readFileSync } from 'node:fs';
import { type JsonValue, readJson } from '@toolgate/core';
import { PROTOCOLS, type Protocol } from '@toolgate/model';

/** A streamed answer of a provider, byte by byte as its wire has it. The shapes are real, the content is made up. */
export interface RecordedStream {
  readonly protocol: Protocol;
  /** What it shows: `parallel-tools`, `cut-off`, `crlf`. */
  readonly name: string;
  /** A copy of its own for everybody who asks. */
  readonly bytes: Uint8Array;
  /** The same answer as the provider gives it when it does not stream; `undefined` where it has none. */
  readonly whole: JsonValue | undefined;
}

// The same distance from src/recorded-stream/ and from dist/recorded-stream/.
const FOLDER = new URL('../../fixtures/', import.meta.url);

/**
 * Reads the streams that ship with this package, by protocol and name.
 *
 * @param protocols - Which of them. Default: all.
 */
export function readRecordedStreams(protocols: readonly Protocol[] = PROTOCOLS): readonly RecordedStream[] {
  return protocols.flatMap((protocol) => {
    const folder = new URL(`${protocol}/`, FOLDER);
    const files = readdirSync(folder).sort();
    const known = new Set(files);
    return files.flatMap((file) => {
      if (!file.endsWith('.sse')) return [];
      const name = file.slice(0, -'.sse'.length);
      const whole = known.has(`${name}.json`)
        ? readJson(readFileSync(new URL(`${name}.json`, folder), 'utf8'))
        : undefined;
      return [{ protocol, name, bytes: new Uint8Array(readFileSync(new URL(file, folder))), whole }];
    });
  });
}
