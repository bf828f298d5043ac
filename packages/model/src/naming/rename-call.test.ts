import { expect, test } from 'vitest';
import type { ModelCall } from '../call/model-call.ts';
import { createIdMap, ID_RULES } from './id-map.ts';
import { createNameMap, NAME_RULES } from './name-map.ts';
import { renameCall } from './rename-call.ts';
import { restoreEvent, restoreResponse } from './restore-names.ts';

const CALL: ModelCall = {
  model: 'm',
  tools: [
    { kind: 'function', name: 'gmail.send' },
    { kind: 'function', name: 'plain' },
    { kind: 'foreign', protocol: 'anthropic', name: 'web.search', value: {} },
  ],
  toolChoice: { mode: 'any', allowed: ['gmail.send', 'plain'] },
  items: [
    { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'gmail.send' }] },
    { kind: 'tool-call', callId: 'a:1', name: 'gmail.send', arguments: '{}' },
    { kind: 'tool-call', callId: 'b', name: 'old.tool', arguments: '{}' },
    { kind: 'tool-result', callId: 'a:1', name: 'gmail.send', parts: [] },
    { kind: 'tool-result', callId: 'b', parts: [] },
  ],
};

test('a call is renamed in its tools, its choice and its history, consistently', () => {
  const names = createNameMap([], NAME_RULES.anthropic);
  const ids = createIdMap([], ID_RULES.anthropic);
  const { value, losses } = renameCall(CALL, { names, ids });
  const wire = names.toWire('gmail.send');
  expect(value.tools?.map((tool) => tool.name)).toEqual([wire, 'plain', 'web.search']);
  expect(value.toolChoice).toEqual({ mode: 'any', allowed: [wire, 'plain'] });
  expect(value.items[0]).toBe(CALL.items[0]);
  expect(value.items[1]).toMatchObject({ name: wire, callId: ids.toWire('a:1') });
  expect(value.items[2]).toMatchObject({ name: names.toWire('old.tool'), callId: 'b' });
  expect(value.items[3]).toMatchObject({ name: wire, callId: ids.toWire('a:1') });
  expect(value.items[4]).toBe(CALL.items[4]);
  expect(losses.map(({ code, path }) => [code, path])).toEqual([['approximated', '/tools/0/name']]);
});

test('a named choice follows its tool, and a call without maps comes back equal', () => {
  const named: ModelCall = { ...CALL, toolChoice: { mode: 'named', name: 'gmail.send' } };
  const names = createNameMap([], NAME_RULES.anthropic);
  expect(renameCall(named, { names }).value.toolChoice).toEqual({
    mode: 'named',
    name: names.toWire('gmail.send'),
  });
  expect(renameCall(CALL, {})).toEqual({ value: CALL, losses: [] });
});

test('the answer gets the own names back, in events and in a whole response', () => {
  const names = createNameMap(['gmail.send'], NAME_RULES.anthropic);
  const wire = names.toWire('gmail.send');
  expect(restoreEvent({ kind: 'call-start', index: 0, callId: 'c', name: wire }, names)).toMatchObject({
    name: 'gmail.send',
  });
  const end = { kind: 'call-end', index: 0, callId: 'c', name: 'made_up', arguments: '' } as const;
  expect(restoreEvent(end, names)).toBe(end);
  const response = restoreResponse(
    {
      id: null,
      model: null,
      items: [
        { kind: 'tool-call', callId: 'c', name: wire, arguments: '' },
        { kind: 'reasoning', text: wire },
      ],
      finish: 'tool-calls',
      usage: null,
    },
    names,
  );
  expect(response.items).toEqual([
    { kind: 'tool-call', callId: 'c', name: 'gmail.send', arguments: '' },
    { kind: 'reasoning', text: wire },
  ]);
});
