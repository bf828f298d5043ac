import type { JsonValue } from '@toolgate/core';
import { expect, test } from 'vitest';
import { refuseOtherSpellings, spelling } from './spelling.ts';
import { createWireReader } from './wire-reader.ts';

const CALL = spelling('object', { name: undefined, arguments: undefined });
const MESSAGE = spelling('object', { tool_calls: spelling('list', { function: CALL, id: undefined }) }, [
  'content',
]);
const reader = createWireReader('model/response-invalid');

test.each<[string, JsonValue, string]>([
  ['a member beside its own', { tool_calls: [], toolCalls: [] }, '/toolCalls'],
  ['one deep within', { tool_calls: [{}, { function: { NAME: 'f' } }] }, '/tool_calls/1/function/NAME'],
  ['a list for an object', { tool_calls: [{ function: ['f'] }] }, '/tool_calls/0/function'],
  ['a list in a list', { tool_calls: [[]] }, '/tool_calls/0'],
  ['an object for a list', { tool_calls: { id: 'a' } }, '/tool_calls'],
])('the fault is named with its place: %s', (_what, value, pointer) => {
  expect(() => refuseOtherSpellings(reader, value, MESSAGE)).toThrow(
    expect.objectContaining({ code: 'model/response-invalid', pointer }),
  );
});

test.each<JsonValue>([
  { content: 'x', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}', later: 1 } }] },
  { tool_calls: [{ function: [] }], Content: 'x' },
  { tool_calls: null },
  'text',
])('what is spelled as it should be, or leads to no call, is taken: %j', (value) => {
  expect(() => refuseOtherSpellings(reader, value, MESSAGE)).not.toThrow();
});
