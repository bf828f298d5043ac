import type { JsonValue } from '@toolgate/core';
import type { Protocol } from '../call/protocol.ts';

/** JSON that goes into one request after the other, ready for texts and for bytes. */
export interface WrittenJson {
  readonly text: string;
  /** Its UTF-8. */
  readonly bytes: Uint8Array;
  /** The same as a text with a unit for each byte: `text` itself, where that is ASCII. */
  readonly units: string;
}

const encoder = new TextEncoder();

/** Writes a value. */
export function writeOnce(value: JsonValue): WrittenJson {
  const text = JSON.stringify(value);
  const bytes = encoder.encode(text);
  return { text, bytes, units: bytes.length === text.length ? text : byteUnits(bytes) };
}

/** A text whose units are bytes. */
export function byteUnits(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/**
 * Remembers what a thing becomes in each protocol, where nobody can change the thing: a gateway adds the same one to
 * every request.
 */
export function rememberForms<Thing extends object, Form>(
  make: (protocol: Protocol, thing: Thing) => Form,
): (protocol: Protocol, thing: Thing) => Form {
  const known = new WeakMap<Thing, Map<Protocol, Form>>();
  return (protocol, thing) => {
    const forms = known.get(thing);
    const before = forms?.get(protocol);
    if (before !== undefined) return before;
    const form = make(protocol, thing);
    if (forms !== undefined) forms.set(protocol, form);
    else if (isFrozen(thing)) known.set(thing, new Map([[protocol, form]]));
    return form;
  };
}

/** Whether a value is frozen to the last one in it. */
function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}
