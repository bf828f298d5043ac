import type { JsonObject, JsonValue } from '@toolgate/core';
import type { ForeignItem } from '@toolgate/model';
import type { ProposedCall } from './call-verdict.ts';

/** Kinds of items of OpenAI Responses that wait for their client; other foreign items ran at the provider. */
const CLIENT_CALLS: ReadonlyMap<string, string> = new Map([
  ['custom_tool_call', 'custom'],
  ['computer_call', 'computer'],
  ['local_shell_call', 'local_shell'],
  ['shell_call', 'shell'],
  ['apply_patch_call', 'apply_patch'],
  ['mcp_approval_request', 'mcp'],
]);

/** A call that only its own protocol has words for; `undefined` for a foreign item that asks nothing of the client. */
export function readForeignCall({ protocol, value }: ForeignItem): ProposedCall | undefined {
  if (!isObject(value)) return undefined;
  if (protocol === 'openai-chat') {
    const custom = isObject(value['custom']) ? value['custom'] : value;
    return toCall(textOf(value, 'id'), textOf(custom, 'name') ?? '', textOf(custom, 'input') ?? '');
  }
  if (protocol !== 'openai-responses') return undefined;
  const kind = CLIENT_CALLS.get(textOf(value, 'type') ?? '');
  if (kind === undefined) return undefined;
  const name = kind === 'custom' ? (textOf(value, 'name') ?? '') : kind;
  return toCall(textOf(value, 'call_id') ?? textOf(value, 'id'), name, textOf(value, 'input') ?? '');
}

/** Whether a call without a schema is one of a tool that was offered; tools that a provider defines carry a version. */
export function isOfferedForeign(name: string, offered: ReadonlySet<string>): boolean {
  if (name === '') return false;
  if (offered.has(name)) return true;
  for (const tool of offered) if (tool.startsWith(`${name}_`)) return true;
  return false;
}

function toCall(callId: string | undefined, name: string, text: string): ProposedCall {
  return { callId: callId ?? '', name, arguments: text, complete: true, foreign: true };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
