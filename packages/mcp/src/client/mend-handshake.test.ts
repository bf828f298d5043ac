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

test.each([
  ['an empty list for the capabilities', { capabilities: [] }, { capabilities: {} }],
  [
    'an empty list for a capability',
    { capabilities: { tools: [], prompts: [] } },
    { capabilities: { tools: {}, prompts: {} } },
  ],
  [
    'yes and no for capabilities',
    { capabilities: { tools: true, logging: false } },
    { capabilities: { tools: {} } },
  ],
  ['instructions that are no text', { capabilities: {}, instructions: ['x'] }, { capabilities: {} }],
])('%s is understood', (_what, said, read) => {
  expect(mendHandshake({ ...said, serverInfo })).toEqual({ ...read, serverInfo });
});

test.each([
  ['nothing', undefined, { name: '', version: '' }],
  ['a name', { name: 'notes' }, { name: 'notes', version: '' }],
  ['a version that is a number', { name: 'notes', version: 1 }, { name: 'notes', version: '' }],
  ['things that are no texts', { ...serverInfo, icons: [7], websiteUrl: 7 }, serverInfo],
])('of a server that says %s about itself is read what it says', (_what, said, read) => {
  expect(mendHandshake({ capabilities: {}, serverInfo: said })).toEqual({
    capabilities: {},
    serverInfo: read,
  });
});

test('everything else stays as it is', () => {
  const said = { capabilities: { tools: { listChanged: true }, experimental: { a: [null] } }, serverInfo };
  expect(mendHandshake(said)).toEqual(said);
  expect(mendHandshake({ capabilities: true, serverInfo })).toEqual({ capabilities: true, serverInfo });
});
