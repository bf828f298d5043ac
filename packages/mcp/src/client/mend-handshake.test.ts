import { expect, test } from 'vitest';
import { mendHandshake } from './mend-handshake.ts';

const serverInfo = { name: 'notes', version: '1' };

test.each([
  ['a capability', { capabilities: { tools: {}, logging: null } }, { capabilities: { tools: {} } }],
  [
    'a member of a capability',
    { capabilities: { tools: { listChanged: null } } },
    { capabilities: { tools: {} } },
  ],
  ['the tools', { capabilities: { tools: null, prompts: null } }, { capabilities: { tools: {} } }],
  ['all capabilities', { capabilities: null }, { capabilities: {} }],
  ['the instructions', { capabilities: {}, instructions: null }, { capabilities: {} }],
])('null for %s is absent', (_what, said, read) => {
  expect(mendHandshake({ ...said, serverInfo: { ...serverInfo, title: null } })).toEqual({
    ...read,
    serverInfo,
  });
});

test('everything else stays as it is', () => {
  const said = { capabilities: { tools: { listChanged: true }, experimental: { a: [null] } }, serverInfo };
  expect(mendHandshake(said)).toEqual(said);
  expect(mendHandshake({ capabilities: true })).toEqual({ capabilities: true });
});
