import { canonicalJson, freezeJson, type JsonObject } from '@toolgate/core';
import type { ForeignItem } from '../call/item.ts';
import { mayAskClient, runsAtProvider } from '../codec/asks-client.ts';
import { memberOf, textOf } from '../codec/wire-reader.ts';
import { ModelError } from '../model-error.ts';
import type { ItemTrack, TrackContext } from './item-track.ts';
import { RESPONSES } from './responses-protocol.ts';

const INPUT = 'response.custom_tool_call_input.';
/** Members that say how an item stands, and not what it asks for. */
const STANDING: ReadonlySet<string> = new Set(['id', 'status']);

/**
 * Follows an item that only this wire has words for. It is given out once, in its final form; what a client may act on says
 * the same each time it is sent, so that whoever looked at one form knows them all.
 *
 * @param announced - The item as far as it is known.
 * @param onItem - Learns of the final form.
 */
export function trackForeign(
  { writer, misled }: TrackContext,
  announced: JsonObject,
  onItem: (item: ForeignItem) => void,
): ItemTrack {
  const index = writer.reserve();
  const type = memberOf(announced, 'type');
  const asks = mayAskClient(RESPONSES, type);
  const pieces: string[] = [];
  let whole: string | undefined;
  let given: JsonObject | undefined;
  const tell = (): void => {
    if (asks) writer.callBegun(index);
  };
  tell();
  if (runsAtProvider(RESPONSES, type)) writer.runBegun(index);
  return {
    take(eventType, event) {
      tell();
      if (eventType === `${INPUT}delta`) {
        const piece = textOf(event, 'delta') ?? '';
        writer.hold(piece);
        pieces.push(piece);
        if ((textOf(announced, 'input') ?? '') !== '') misled();
      } else if (eventType === `${INPUT}done`) whole = textOf(event, 'input');
    },
    finish(value) {
      const input = textOf(value, 'input');
      const said = pieces.join('');
      const early = textOf(announced, 'input') ?? '';
      // Some clients take what is announced for the first piece, or for all of it.
      if (asks && early !== '' && early !== input) throw differs();
      if (input !== undefined && said !== '' && said !== input) throw differs();
      if (input !== undefined && whole !== undefined && whole !== input) throw differs();
      given = value;
      const item = Object.freeze({
        kind: 'foreign',
        protocol: RESPONSES,
        role: 'assistant',
        value: freezeJson(value),
      } as const);
      onItem(item);
      writer.foreign(index, item);
    },
    takeLate(eventType, event) {
      if (!asks || given === undefined) return;
      if (eventType === `${INPUT}delta`) misled();
      else if (eventType === `${INPUT}done` && textOf(event, 'input') !== textOf(given, 'input'))
        throw differs();
    },
    verify(final) {
      if (asks && given !== undefined && !agrees(final, given)) throw differs();
    },
  };
}

/** Whether everything that the last form says was said by the first one. */
function agrees(final: JsonObject, given: JsonObject): boolean {
  return Object.entries(final).every(([name, value]) => {
    if (value === null || STANDING.has(name)) return true;
    const before = memberOf(given, name);
    return before !== undefined && canonicalJson(before) === canonicalJson(value);
  });
}

function differs(): ModelError {
  return new ModelError('model/stream-invalid', 'A call was sent twice and differs.');
}
