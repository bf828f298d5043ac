import { freezeJson, isJsonObject, type JsonObject } from '@toolgate/core';
import { asksClient, type ForeignItem, wholeName } from '@toolgate/model';
import type { ProposedCall } from './call-verdict.ts';

/** Names of the tools that kinds of items belong to, where they are not the first words of the kind. */
const NAMES: ReadonlyMap<string, string> = new Map([['mcp_approval_request', 'mcp']]);

/** A call that only its own protocol has words for; `undefined` for a foreign item that asks nothing of the client. */
export function readForeignCall(item: ForeignItem): ProposedCall | undefined {
  const { protocol, value } = item;
  if (!isJsonObject(value) || !asksClient(item)) return undefined;
  if (protocol === 'openai-chat') {
    const custom = isJsonObject(value['custom']) ? value['custom'] : value;
    return toCall(textOf(value, 'id'), textOf(custom, 'name'), textOf(custom, 'input'), true);
  }
  const type = textOf(value, 'type') ?? '';
  const ownName = protocol === 'anthropic' || type === 'custom_tool_call';
  const bare = textOf(value, 'name') ?? '';
  const name = ownName
    ? wholeName(bare, value['namespace'])
    : (NAMES.get(type) ?? type.replace(/_call$/, ''));
  const callId = textOf(value, 'call_id') ?? textOf(value, 'id');
  const call = toCall(callId, name, textOf(value, 'input'), textOf(value, 'status') !== 'incomplete');
  return ownName ? call : { ...call, hosted: true };
}

/** Kinds of tools whose calls bear a shorter name: OpenAI's `computer_use_preview`, with or without a date, and its heirs. */
const COMPUTER = /^computer(?:_use)?(?:_preview)?(?:_\d[\d_]*)?$/;

/**
 * Whether a call without a schema is one of a tool that was offered. Names that somebody gave and kinds that the
 * protocol defines are two things: a custom tool called `shell` does not offer the one of the provider.
 */
export function isOfferedForeign(
  { hosted, name }: Pick<ProposedCall, 'hosted' | 'name'>,
  offered: { readonly named: ReadonlySet<string>; readonly hosted: ReadonlySet<string> },
): boolean {
  if (name === '') return false;
  if (hosted !== true) return offered.named.has(name);
  return (
    offered.hosted.has(name) ||
    (name === 'computer' && [...offered.hosted].some((kind) => COMPUTER.test(kind)))
  );
}

/** The item of a custom call with another text. */
export function withInput(item: ForeignItem, input: string): ForeignItem {
  const { protocol, value } = item;
  if (!isJsonObject(value)) return item;
  const custom = protocol === 'openai-chat' ? value['custom'] : undefined;
  const changed = isJsonObject(custom) ? { ...value, custom: { ...custom, input } } : { ...value, input };
  return Object.freeze({ ...item, value: freezeJson(changed) });
}

function toCall(callId = '', name = '', text: string | undefined, complete: boolean): ProposedCall {
  const call = { callId, name, arguments: text ?? '', complete, foreign: true };
  return text === undefined ? { ...call, opaque: true } : call;
}

function textOf(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
