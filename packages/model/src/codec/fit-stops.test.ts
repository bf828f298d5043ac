import { expect, test } from 'vitest';
import type { Item } from '../call/item.ts';
import { codecOf } from './codecs.ts';

const items: readonly Item[] = [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] }];

function stopsOf(protocol: 'openai-chat' | 'gemini', model: string, stop: readonly string[]) {
  const { losses, value } = codecOf(protocol).encodeRequest({ model, items, sampling: { stop } });
  const config = value.body['generationConfig'] as { readonly stopSequences?: unknown } | undefined;
  const lost = losses.filter(({ path }) => path === '/sampling/stop').map(({ severity }) => severity);
  return [protocol === 'gemini' ? config?.stopSequences : value.body['stop'], lost];
}

const SIX = ['a', 'b', 'c', 'd', 'e', 'f'];

test.each([
  ['gemini', 'gemini-2.5-flash', SIX, SIX.slice(0, 5), ['warning']],
  ['gemini', 'gemini-2.5-flash', ['a', ''], ['a'], ['info']],
  ['gemini', 'gemini-2.5-flash', [''], undefined, ['info']],
  ['openai-chat', 'gpt-4o', SIX, SIX.slice(0, 4), ['warning']],
  ['openai-chat', 'llama-3.3-70b', SIX, SIX, []],
  ['openai-chat', 'gpt-4o', ['a', 'b'], ['a', 'b'], []],
] as const)(
  '%s is told for %s to end at %j as far as it takes that: %j',
  (protocol, model, stop, told, lost) => {
    expect(stopsOf(protocol, model, stop)).toEqual([told, lost]);
  },
);
