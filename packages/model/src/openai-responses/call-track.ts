import type { JsonObject, JsonValue } from '@toolgate/core';
import { sameArguments } from '../codec/argument-object.ts';
import { readArguments } from '../codec/read-arguments.ts';
import { isPlaceholderId } from '../codec/synthetic-id.ts';
import { memberOf, textOf } from '../codec/wire-reader.ts';
import { ModelError } from '../model-error.ts';
import { decodeItem } from './decode-item.ts';
import { isWhole } from './decode-response.ts';
import { eventReader, type ItemTrack, type TrackContext } from './item-track.ts';

/**
 * Follows a function call. Its arguments are sent up to three times (pieces, done event, final item) and are given out
 * once; a call is finished by its final form or its done event, never by a text that happens to parse.
 *
 * @param index - Its place among the blocks of the answer, where one was reserved before it was named.
 */
export function trackCall(
  { writer, losses, items, misled }: TrackContext,
  item: JsonObject,
  pointer: string,
  index: number = writer.reserve(),
): ItemTrack {
  // Everything but the arguments is known from the start.
  const call = decodeItem(items(), { ...item, arguments: '' }, pointer);
  if (call.kind !== 'tool-call') throw new TypeError('not a call');
  const early = memberOf(item, 'arguments');
  let said = false;
  /** What the pieces say, once they were said as a whole: no more of them count then. */
  let isSame: ((other: string) => boolean) | undefined;
  writer.openCall(index, {
    callId: call.callId,
    name: call.name,
    ...(call.id === undefined ? {} : { itemId: call.id }),
    ...(call.extensions === undefined ? {} : { extensions: call.extensions }),
  });

  const reconcile = (value: JsonValue | undefined): void => {
    const whole = readArguments(value, `${pointer}/arguments`, losses);
    const pieces = writer.argumentsOf(index);
    if (whole === '') {
      if (pieces !== '') misled();
      return;
    }
    if (isSame === undefined && pieces === '') writer.callDelta(index, whole);
    isSame ??= sameArguments(writer.argumentsOf(index));
    // Some servers write the final form anew, with other spaces.
    if (whole !== pieces && !isSame(whole)) throw differs();
  };
  const sameCall = (final: JsonObject): void => {
    const callId = memberOf(final, 'call_id');
    const sameId = isPlaceholderId(callId) || callId === call.callId;
    const name = textOf(final, 'name');
    // Two tools may bear one name in two namespaces; a form without a name says nothing of either.
    const sameTool = isUnnamed(final) || (name === call.name && namespaceOf(final) === namespaceOf(item));
    if (!sameTool) throw new ModelError('model/stream-invalid', 'A call changed its tool.');
    // Clients take a final form for the whole. Some servers make a new id for it, and it is the same call all the same.
    const isNameless = isPlaceholderId(callId) && !isPlaceholderId(memberOf(item, 'call_id'));
    if (!sameId || isUnnamed(final) || isNameless) misled();
  };
  const close = (): void => {
    if (writer.argumentsOf(index) === '') {
      reconcile(early);
      if (writer.argumentsOf(index) !== '') misled();
    }
    writer.closeCall(index);
  };

  const take = (type: string, event: JsonObject): void => {
    if (type === 'response.function_call_arguments.delta') {
      const delta = eventReader.string(memberOf(event, 'delta'), '/delta');
      if (isSame === undefined) writer.callDelta(index, delta);
      else if (delta !== '') misled();
    } else if (type === 'response.function_call_arguments.done') {
      const whole = memberOf(event, 'arguments') ?? '';
      // Some clients take it for the whole; what it leaves out may still come.
      if (whole === '') misled();
      else reconcile(whole);
      said = true;
    }
  };
  const verify = (final: JsonObject): void => {
    reconcile(memberOf(final, 'arguments'));
    sameCall(final);
  };

  return {
    take,
    takeLate: take,
    verify,
    finish(final) {
      verify(final);
      if (isWhole(final)) close();
      isSame ??= sameArguments(writer.argumentsOf(index));
    },
    leave() {
      if (said) close();
    },
  };
}

/** Whether a form of a call does not say of which tool it is. */
export function isUnnamed(item: JsonObject): boolean {
  return (textOf(item, 'name') ?? '') === '';
}

function namespaceOf(item: JsonObject): string {
  return textOf(item, 'namespace') ?? '';
}

function differs(): ModelError {
  return new ModelError('model/stream-invalid', 'The arguments of a call were sent twice and differ.');
}
