import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { ForeignItem } from '../call/item.ts';
import { memberOf } from '../codec/wire-reader.ts';
import { RESPONSES } from './responses-protocol.ts';

const CLIENT_CALLS: ReadonlySet<unknown> = new Set([
  'custom_tool_call',
  'computer_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'mcp_approval_request',
]);

/** Whether an item of an answer waits for its client; server-side tool use does not. */
export function isClientCall(item: ForeignItem): boolean {
  return item.protocol === RESPONSES && isJsonObject(item.value) && isClientCallValue(item.value);
}

function isClientCallValue(value: JsonObject): boolean {
  return CLIENT_CALLS.has(memberOf(value, 'type'));
}
