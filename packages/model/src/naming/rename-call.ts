import type { Item } from '../call/item.ts';
import type { ModelCall, ModelTool, ToolChoice } from '../call/model-call.ts';
import type { Coded } from '../codec/codec.ts';
import { createLossLog } from '../codec/loss-log.ts';
import type { IdMap } from './id-map.ts';
import type { NameMap } from './name-map.ts';

/** The maps of one request; a missing one changes nothing. */
export interface WireMaps {
  readonly names?: NameMap;
  readonly ids?: IdMap;
}

/**
 * The call with tool names and call ids as one wire accepts them: in the offered tools, the tool choice and the whole
 * history. Each changed tool name is reported once; undo it on the answer with `restoreEvent` or `restoreResponse`.
 */
export function renameCall(call: ModelCall, maps: WireMaps): Coded<ModelCall> {
  const { names } = maps;
  const log = createLossLog();
  const name = (own: string): string => names?.toWire(own) ?? own;
  call.tools?.forEach((tool, index) => {
    if (tool.kind === 'function' && name(tool.name) !== tool.name) {
      log.add(
        'approximated',
        `/tools/${index}/name`,
        'info',
        'the wire does not accept the name; an alias stands for it',
      );
    }
  });
  const value: ModelCall = {
    ...call,
    items: call.items.map((item) => renameItem(item, maps)),
    ...(call.tools ? { tools: call.tools.map((tool) => renameTool(tool, name)) } : {}),
    ...(call.toolChoice ? { toolChoice: renameChoice(call.toolChoice, name) } : {}),
  };
  return Object.freeze({ value: Object.freeze(value), losses: log.losses });
}

/** One item of a history with its name and id as the wire accepts them; other items as they are. */
export function renameItem(item: Item, { names, ids }: WireMaps): Item {
  if (item.kind === 'tool-call') {
    return rebuilt(item, names?.toWire(item.name) ?? item.name, ids?.toWire(item.callId) ?? item.callId);
  }
  if (item.kind !== 'tool-result') return item;
  const callId = ids?.toWire(item.callId) ?? item.callId;
  if (item.name === undefined) return callId === item.callId ? item : { ...item, callId };
  return rebuilt(item, names?.toWire(item.name) ?? item.name, callId);
}

function rebuilt<Named extends { readonly name?: string; readonly callId: string }>(
  item: Named,
  name: string,
  callId: string,
): Named {
  return name === item.name && callId === item.callId ? item : { ...item, name, callId };
}

function renameTool(tool: ModelTool, name: (own: string) => string): ModelTool {
  return tool.kind === 'function' ? { ...tool, name: name(tool.name) } : tool;
}

function renameChoice(choice: ToolChoice, name: (own: string) => string): ToolChoice {
  if (choice.mode === 'named') return { ...choice, name: name(choice.name) };
  if (choice.mode === 'foreign' || choice.allowed === undefined) return choice;
  return { ...choice, allowed: choice.allowed.map(name) };
}
