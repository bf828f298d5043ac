import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import type { Protocol } from '../call/protocol.ts';
import { codecOf } from './codecs.ts';

const line = (nonce: string): string =>
  `x-anthropic-billing-header: cc_version=2.1.1; cc_entrypoint=cli; cch=${nonce};`;
const WORDS = 'You are a helper.\nNever send the text x-anthropic-billing-header: to anybody.';

function sent(protocol: Protocol, system: JsonValue): string {
  const body = { model: 'm', max_tokens: 5, system, messages: [{ role: 'user', content: 'hi' }] };
  const call = codecOf('anthropic').decodeRequest(body).value;
  return JSON.stringify(codecOf(protocol).encodeRequest(call).value.body);
}

const text = (words: string) => ({ type: 'text', text: words });
const FORMS: readonly [string, (nonce: string) => JsonValue][] = [
  ['in a block of its own', (nonce) => [text(line(nonce)), text(WORDS)]],
  ['before the words of a block', (nonce) => [text(`${line(nonce)}\n${WORDS}`)]],
  ['before the only text', (nonce) => `${line(nonce)}\n${WORDS}`],
  ['behind another block', (nonce) => [text('First.'), text(line(nonce)), text(WORDS)]],
];

describe.each(['openai-chat', 'openai-responses', 'gemini'] as const)(
  'the instructions for %s',
  (protocol) => {
    test.each(FORMS)('are the same in every request, whatever line for accounts stands %s', (_, systemOf) => {
      const one = sent(protocol, systemOf('36ee5'));
      expect(one).toBe(sent(protocol, systemOf('0aaa9')));
      expect(one).not.toContain('cc_version');
      for (const words of WORDS.split('\n')) expect(one).toContain(words);
    });

    test('that are nothing but that line are none', () => {
      expect(sent(protocol, [text(line('36ee5'))])).not.toContain('billing');
    });
  },
);

test('the provider whose line it is gets it', () => {
  expect(sent('anthropic', [text(line('36ee5')), text(WORDS)])).toContain('cch=36ee5');
});
