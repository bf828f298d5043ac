import { expect, test } from 'vitest';
import type { Protocol } from '../call/protocol.ts';
import { codecOf } from './codecs.ts';

const SESSION = JSON.stringify({
  device_id: 'd'.repeat(64),
  account_uuid: 'a'.repeat(36),
  session_id: 's'.repeat(36),
});

function userOf(protocol: Protocol, endUser: string): unknown {
  const { value } = codecOf(protocol).encodeRequest({ model: 'm', items: [], endUser });
  const { metadata, user } = value.body;
  return metadata === undefined ? user : metadata;
}

test.each(['openai-chat', 'openai-responses'] as const)(
  'an end user whose name is too long for %s is named by a digest, the same every time',
  (protocol) => {
    const user = userOf(protocol, SESSION);
    expect(user).toMatch(/^[0-9a-f]{64}$/);
    expect(userOf(protocol, SESSION)).toBe(user);
    expect(userOf(protocol, `${SESSION}2`)).not.toBe(user);
    expect(userOf(protocol, 'u'.repeat(64))).toBe('u'.repeat(64));
  },
);

test('Anthropic takes longer names, and not any', () => {
  expect(userOf('anthropic', SESSION)).toEqual({ user_id: SESSION });
  expect(userOf('anthropic', 'u'.repeat(257))).toEqual({ user_id: expect.stringMatching(/^[0-9a-f]{64}$/) });
});
