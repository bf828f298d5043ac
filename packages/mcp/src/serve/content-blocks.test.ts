import { emptyOutput, jsonOutput, toolOutput } from '@toolgate/core';
import { expect, test } from 'vitest';
import { contentBlocks } from './content-blocks.ts';

test('every kind of part has its block', () => {
  const output = toolOutput({
    parts: [
      { kind: 'text', text: 'one' },
      { kind: 'json', value: { two: [2] } },
      { kind: 'image', mediaType: 'image/png', data: 'iVBORw0KGgoA' },
      { kind: 'audio', mediaType: 'audio/wav', data: 'BBBB' },
      { kind: 'file', mediaType: 'text/plain', uri: 'file:///a.txt', text: 'three' },
      { kind: 'file', mediaType: 'application/pdf', name: 'ä b.pdf', data: 'CCCC' },
      { kind: 'file', mediaType: 'text/plain', text: 'four' },
      { kind: 'resource-link', uri: 'https://example.com/', name: 'Example', mediaType: 'text/html' },
      { kind: 'resource-link', uri: 'https://example.com/2', description: 'Second' },
    ],
  });
  expect(contentBlocks(output)).toEqual([
    { type: 'text', text: 'one' },
    { type: 'text', text: '{"two":[2]}' },
    { type: 'image', data: 'iVBORw0KGgoA', mimeType: 'image/png' },
    { type: 'audio', data: 'BBBB', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'three' } },
    {
      type: 'resource',
      resource: { uri: 'urn:toolgate:file:%C3%A4%20b.pdf', mimeType: 'application/pdf', blob: 'CCCC' },
    },
    {
      type: 'resource',
      resource: { uri: 'urn:toolgate:file:unnamed', mimeType: 'text/plain', text: 'four' },
    },
    { type: 'resource_link', uri: 'https://example.com/', name: 'Example', mimeType: 'text/html' },
    {
      type: 'resource_link',
      uri: 'https://example.com/2',
      name: 'https://example.com/2',
      description: 'Second',
    },
  ]);
});

test('nothing is one empty text', () => {
  expect(contentBlocks(emptyOutput())).toEqual([{ type: 'text', text: '' }]);
});

test('a JSON value that is a text keeps its quotes', () => {
  expect(contentBlocks(jsonOutput('a'))).toEqual([{ type: 'text', text: '"a"' }]);
});
