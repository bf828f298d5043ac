import type { JsonObject, JsonValue } from '@toolgate/core';
import { saysTheSame } from '../codec/argument-object.ts';
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
 */
export function trackCall(
  { writer, losses, items }: TrackContext,
  item: JsonObject,
  pointer: string,
  index: number = writer.reserve(),
): ItemTrack {
  // Everything but the arguments is known from the start.
  const call = decodeItem(items(), { ...item, arguments: '' }, pointer);
  if (call.kind !== 'tool-call') throw new TypeError('not a call');
  const early = memberOf(item, 'arguments');
  let said = false;
  writer.openCall(index, {
    callId: call.callId,
    name: call.name,
    ...(call.id === undefined ? {} : { itemId: call.id }),
    ...(call.extensions === undefined ? {} : { extensions: call.extensions }),
  });

  const reconcile = (value: JsonValue | undefined): void => {
    const whole = readArguments(value, `${pointer}/arguments`, losses);
    const pieces = writer.argumentsOf(index);
    if (whole === '' || whole === pieces) return;
    if (pieces === '') writer.callDelta(index, whole);
    // Some servers write the final form anew, with other spaces.
    else if (!saysTheSame(pieces, whole)) throw differs();
  };
  const sameCall = (final: JsonObject): void => {
    const callId = memberOf(final, 'call_id');
    const sameId = isPlaceholderId(callId) || callId === call.callId;
    const name = textOf(final, 'name');
    // Two tools may bear one name in two namespaces; a form without a name says nothing of either.
    const sameTool =
      name === undefined || name === '' || (name === call.name && namespaceOf(final) === namespaceOf(item));
    if (sameId && sameTool) return;
    throw new ModelError('model/stream-invalid', 'A call changed its name or its id.');
  };
  const close = (): void => {
    if (writer.argumentsOf(index) === '') reconcile(early);
    writer.closeCall(index);
  };

  return {
    take(type, event) {
      if (type === 'response.function_call_arguments.delta') {
        writer.callDelta(index, eventReader.string(memberOf(event, 'delta'), '/delta'));
      } else if (type === 'response.function_call_arguments.done') {
        reconcile(memberOf(event, 'arguments'));
        said = true;
      }
    },
    finish(final) {
      reconcile(memberOf(final, 'arguments'));
      sameCall(final);
      if (isWhole(final)) close();
    },
    verify(final) {
      const text = readArguments(memberOf(final, 'arguments'), `${pointer}/arguments`, losses);
      const pieces = writer.argumentsOf(index);
      if (text !== '' && text !== pieces && !saysTheSame(pieces, text)) throw differs();
      sameCall(final);
    },
    leave() {
      if (said) close();
    },
  };
}

function namespaceOf(item: JsonObject): string {
  return textOf(item, 'namespace') ?? '';
}

function differs(): ModelError {
  return new ModelError('model/stream-invalid', 'The arguments of a call were sent twice and differ.');
}
