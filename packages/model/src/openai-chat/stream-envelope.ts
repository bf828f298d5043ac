import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import { toExtensions } from '../codec/extensions.ts';
import { createKeptMembers, type KeptMembers } from '../codec/kept-members.ts';
import { isJsonArray, memberOf, textOf } from '../codec/wire-reader.ts';
import type { ResponseWriter } from '../event/response-writer.ts';
import { CHAT } from './chat-protocol.ts';
import { READ_ENVELOPE } from './decode-response.ts';

/** What the chunks of one stream say around the answer, as far as it has no neutral form. */
export class StreamEnvelope {
  readonly #kept: KeptMembers;

  constructor(writer: ResponseWriter) {
    this.#kept = createKeptMembers(writer);
  }

  /** Every chunk says most of it again, and then nothing is written. */
  take(chunk: JsonObject): void {
    for (const name in chunk) {
      if (READ_ENVELOPE.has(name) || !Object.hasOwn(chunk, name)) continue;
      const value = chunk[name] ?? null;
      if (value === null || value === memberOf(this.#kept.members, name) || isEmptyList(value)) continue;
      this.#kept.set(name, value);
    }
  }

  /** What came so far, as a member of an event; nothing where nothing did. */
  extensions(): { readonly extensions?: Extensions } {
    const { members } = this.#kept;
    return Object.keys(members).length === 0
      ? {}
      : { extensions: toExtensions(CHAT, freezeJson({ ...members })) };
  }
}

function isEmptyList(value: JsonValue): boolean {
  return isJsonArray(value) && value.length === 0;
}

/** Azure says what it found in the prompt before there is an answer, in a chunk that names neither it nor the model. */
export function isPreamble(chunk: JsonObject): boolean {
  const choices = memberOf(chunk, 'choices');
  if (textOf(chunk, 'id') || textOf(chunk, 'model') || isJsonObject(memberOf(chunk, 'usage'))) return false;
  return isJsonArray(choices) && choices.length === 0;
}
