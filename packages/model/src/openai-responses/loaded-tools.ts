import { isJsonObject } from '@toolgate/core';
import type { ForeignItem, Item } from '../call/item.ts';
import type { ModelCall, ModelTool } from '../call/model-call.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { createWireReader, memberOf, textOf } from '../codec/wire-reader.ts';
import { decodeTools } from './decode-tools.ts';
import { splitInstructions } from './leading-instructions.ts';
import { RESPONSES } from './responses-protocol.ts';

/** A tool and where it stands. */
export interface PlacedTool {
  readonly tool: ModelTool;
  readonly place: string;
}

const NONE: readonly PlacedTool[] = Object.freeze([]);

const reader = createWireReader('model/request-invalid');

/**
 * The tools that items of a conversation add to those of the request (`additional_tools`), and the call without these
 * items; the very same call where there is none. Other protocols offer all tools at once.
 *
 * @throws ModelError `model/request-invalid` for an item that is none.
 */
export function takeLoadedTools(
  call: ModelCall,
  losses: LossLog,
): { readonly call: ModelCall; readonly loaded: readonly PlacedTool[] } {
  const { items } = call;
  if (!items.some(isLoader)) return { call, loaded: NONE };
  const loaded: PlacedTool[] = [];
  const left = items.filter((item, index) => {
    if (!isLoader(item)) return true;
    const pointer = `/items/${index}/tools`;
    const value = isJsonObject(item.value) ? item.value : {};
    decodeTools(reader, memberOf(value, 'tools') ?? [], pointer).forEach((tool, at) => {
      loaded.push({ tool, place: `${pointer}/${at}` });
    });
    losses.add('relocated', `/items/${index}`, 'info', 'tools that a conversation loads are offered at once');
    return false;
  });
  const [first] = items;
  if (first === undefined || !isLoader(first)) return { call: { ...call, items: left }, loaded };
  // What an operator says behind them was the first word, and is an instruction like any other.
  const { leading, rest } = splitInstructions(left);
  const instructions =
    leading.length === 0 ? {} : { instructions: [...(call.instructions ?? []), ...leading] };
  return { call: { ...call, ...instructions, items: rest }, loaded };
}

function isLoader(item: Item): item is ForeignItem {
  return (
    item.kind === 'foreign' &&
    item.protocol === RESPONSES &&
    isJsonObject(item.value) &&
    textOf(item.value, 'type') === 'additional_tools'
  );
}
