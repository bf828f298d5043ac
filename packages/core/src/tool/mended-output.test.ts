import { expect, test } from 'vitest';
import { encodeOutput } from './encode-output.ts';
import { jsonOutput, outputOf, structuredOutput, textOutput, toolOutput } from './make-output.ts';
import type { ToolOutput } from './tool-output.ts';

test.each<[string, () => ToolOutput, string, number]>([
  ['a text', () => textOutput('ok \ud83d'), 'ok \ufffd', 1],
  ['a text that was published', () => outputOf('\udc00\ud800'), '\ufffd\ufffd', 2],
  [
    'a JSON value',
    () => jsonOutput({ a: ['\ud83d', { b: '\udc00x' }] }),
    '{"a":["\ufffd",{"b":"\ufffdx"}]}',
    2,
  ],
  ['a member name', () => jsonOutput({ 'a\ud83d': 1 }), '{"a\ufffd":1}', 1],
  ['what toJSON gives', () => jsonOutput({ toJSON: () => '\ud83d' }), '"\ufffd"', 1],
  ['a structured value', () => structuredOutput({ a: '\ud83d' }), '{"a":"\ufffd"}', 1],
  ['a structured text', () => structuredOutput('\ud83d'), '\ufffd', 1],
  [
    'several parts',
    () =>
      toolOutput({
        parts: [
          { kind: 'text', text: 'a\ud83d' },
          { kind: 'json', value: ['\ud83d'] },
          { kind: 'file', mediaType: 'a/b', name: 'n\ud83d', text: '\ud83d' },
          { kind: 'resource-link', uri: 'u:', name: '\ud83d' },
        ],
      }),
    'a\ufffd\n["\ufffd"]\n\ufffd\n[resource \ufffd u:]',
    5,
  ],
  ['a structured value beside parts', () => toolOutput({ parts: [], structured: ['\ud83d'] }), '', 1],
])('half of a character in %s is replaced and counted', (_, make, text, mended) => {
  const output = make();
  expect([output.text(), output.mended]).toEqual([text, mended]);
  expect(JSON.stringify(output)).not.toMatch(/\\ud[89a-f]/i);
});

test('nothing is counted where nothing was replaced, although U+FFFD stands there', () => {
  for (const output of [textOutput('\ufffd😀'), jsonOutput({ '\ufffd': '😀' }), toolOutput({ parts: [] })])
    expect(output.mended).toBe(0);
});

test('what a machine reads is mended as what a model reads', () => {
  expect(structuredOutput({ a: '\ud83d' }).structured).toEqual({ a: '\ufffd' });
  expect(structuredOutput('\ud83d').structured).toBe('\ufffd');
});

test.each([
  ['a name that is there', { '\ufffd': 1, '\ud83d': 2 }],
  ['a name that comes later', { '\ud83d': 2, '\ufffd': 1 }],
  ['another mended name', { '\ud83d': 1, '\udc00': 2 }],
])('a name that would become %s is refused, so that no member is lost', (_, value) => {
  expect(() => jsonOutput(value)).toThrow(
    expect.objectContaining({
      code: 'tool/output-invalid',
      cause: expect.objectContaining({ code: 'json/lone-surrogate' }),
    }),
  );
});

test('what is encoded for its own sake is refused, not mended', () => {
  expect(() => encodeOutput(['\ud83d'])).toThrow(
    expect.objectContaining({ code: 'tool/output-invalid', pointer: '/0' }),
  );
});
