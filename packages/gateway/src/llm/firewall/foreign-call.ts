import type { JsonObject, JsonValue } from '@toolgate/core';
import { asksClient, type ForeignItem } from '@toolgate/model';
import type { ProposedCall } from './call-verdict.ts';

/** Names of the tools that kinds of items belong to, where they are not the first words of the kind. */
const NAMES: ReadonlyMap<string, string> = new Map([['mcp_approval_request', 'mcp']]);

/** A call that only its own protocol has words for; `undefined` for a foreign item that asks nothing of the client. */
export function readForeignCall(item: ForeignItem): ProposedCall | undefined {
  const { protocol, value } = item;
  if (!isObject(value) || !asksClient(item)) return undefined;
  if (protocol === 'openai-chat') {
    const custom = isObject(value['custom']) ? value['custom'] : value;
    return toCall(textOf(value, 'id'), textOf(custom, 'name'), textOf(custom, 'input'), true);
  }
  const type = textOf(value, 'type') ?? '';
  const ownName = protocol === 'anthropic' || type === 'custom_tool_call';
  const name = ownName ? textOf(value, 'name') : (NAMES.get(type) ?? type.replace(/_call$/, ''));
  const callId = textOf(value, 'call_id') ?? textOf(value, 'id');
  return toCall(callId, name, textOf(value, 'input'), textOf(value, 'status') !== 'incomplete');
}

/** Whether a call without a schema is one of a tool that was offered; tools that a provider defines carry a version. */
export function isOfferedForeign(name: string, offered: ReadonlySet<string>): boolean {
  if (name === '') return false;
  if (offered.has(name)) return true;
  for (const tool of offered) if (tool.startsWith(`${name}_`)) return true;
  return false;
}

function toCall(callId = '', name = '', text = '', complete: boolean): ProposedCall {
  return { callId, name, arguments: text, complete, foreign: true };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
