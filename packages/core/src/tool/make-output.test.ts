import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emptyOutput,
  isSingle,
  isToolOutput,
  jsonOutput,
  outputOf,
  structuredOutput,
  textOutput,
  toolOutput,
} from './make-output.ts';
import { partBytes } from './part-bytes.ts';
import type { OutputPart, ToolOutput, ToolOutputData } from './tool-output.ts';

const invalid = (pointer?: string) =>
  expect.objectContaining({ code: 'tool/output-invalid', ...(pointer === undefined ? {} : { pointer }) });

test('a text is given unchanged and counted in UTF-8 bytes', () => {
  const output = textOutput(' gr\u00fc\u00df\u{1f600}\n');
  expect(output.text()).toBe(' gr\u00fc\u00df\u{1f600}\n');
  expect(output.byteSize).toBe(12);
  expect(output.parts).toEqual([{ kind: 'text', text: ' gr\u00fc\u00df\u{1f600}\n' }]);
  expect(output.structured).toBeUndefined();
});

test('a JSON value is encoded at once, so that changing it later changes nothing', () => {
  const value = { a: [1, { b: new Date(0) }] };
  const output = jsonOutput(value);
  value.a.push(2);
  expect(output.text()).toBe('{"a":[1,{"b":"1970-01-01T00:00:00.000Z"}]}');
  expect(output.parts).toEqual([{ kind: 'json', value: { a: [1, { b: '1970-01-01T00:00:00.000Z' }] } }]);
});

test.each([
  [true, 'true'],
  [false, 'false'],
  [null, 'null'],
  [0, '0'],
  [-0, '0'],
  [1e21, '1e+21'],
  ['x', '"x"'],
  [[], '[]'],
])('the JSON of %s is %s', (value, text) => {
  expect(jsonOutput(value).text()).toBe(text);
});

test('outputs, parts and values are frozen all the way down', () => {
  const output = toolOutput({ parts: [{ kind: 'json', value: { a: [{}] } }], structured: { s: [{}] } });
  const [part] = output.parts;
  const value = part?.kind === 'json' ? part.value : undefined;
  for (const holder of [
    output,
    output.parts,
    part,
    value,
    Reflect.get(Object(value), 'a'),
    output.structured,
  ]) {
    expect(Object.isFrozen(holder)).toBe(true);
  }
  for (const one of [textOutput('a'), jsonOutput({ a: {} }), structuredOutput({ a: {} }), emptyOutput()]) {
    expect(Object.isFrozen(one)).toBe(true);
    expect(Object.isFrozen(one.parts)).toBe(true);
  }
});

test('a structured result is one value for the model and for a machine', () => {
  const output = structuredOutput({ b: 1, a: [2] });
  expect(output.text()).toBe('{"b":1,"a":[2]}');
  expect(output.structured).toEqual({ b: 1, a: [2] });
  expect(Object.isFrozen(output.structured)).toBe(true);
  expect(output.parts).toEqual([{ kind: 'json', value: { b: 1, a: [2] } }]);
  expect(structuredOutput(null).structured).toBeNull();
});

test('a structured string is shown without quotes', () => {
  const output = structuredOutput('ready');
  expect([output.text(), output.structured, output.parts[0]?.kind]).toEqual(['ready', 'ready', 'text']);
});

test('the empty result has no part, no bytes and no text', () => {
  expect([emptyOutput().parts, emptyOutput().byteSize, emptyOutput().text()]).toEqual([[], 0, '']);
});

test('a log of Node.js shows what the model reads', () => {
  expect(inspect({ output: jsonOutput({ sum: 3 }) })).toBe(
    inspect({ output: { kind: 'tool-output', text: '{"sum":3}' } }),
  );
});

test('mixed parts stand in order in the text, those that are no text by name', () => {
  const output = toolOutput({
    parts: [
      { kind: 'text', text: 'see' },
      { kind: 'image', mediaType: 'image/png', data: 'iVBORw0KGgoA' },
      { kind: 'json', value: [1] },
      { kind: 'file', mediaType: 'text/plain', text: 'inline' },
      { kind: 'file', mediaType: 'application/pdf', name: 'a.pdf', data: '' },
      { kind: 'file', mediaType: 'application/zip', data: 'AA==' },
      { kind: 'resource-link', uri: 'https://example.org/a', name: 'page' },
      { kind: 'resource-link', uri: 'urn:x' },
    ],
  });
  expect(output.text().split('\n')).toEqual([
    'see',
    '[image image/png]',
    '[1]',
    'inline',
    '[file a.pdf application/pdf]',
    '[file application/zip]',
    '[resource page https://example.org/a]',
    '[resource urn:x]',
  ]);
  expect(output.byteSize).toBe(output.parts.reduce((sum, part) => sum + partBytes(part), 0));
});

test.each<[string, OutputPart, number]>([
  ['text', { kind: 'text', text: '\u00fc' }, 2],
  ['JSON', { kind: 'json', value: { a: '\u00fc' } }, 10],
  ['an image', { kind: 'image', mediaType: 'image/png', data: 'iVBORw0KGgoA' }, 12],
  ['sound', { kind: 'audio', mediaType: 'audio/wav', data: 'AAAAAAAA' }, 8],
  ['a file with its labels', { kind: 'file', mediaType: 'a/b', name: 'n', uri: 'u:', text: '\u00fc' }, 5],
  ['a file in base64', { kind: 'file', mediaType: 'a/b', data: 'AAAA' }, 4],
  ['a link', { kind: 'resource-link', uri: 'u:', name: 'n', description: '\u00fc' }, 5],
])('bytes of %s', (_, part, bytes) => {
  expect(partBytes(part)).toBe(bytes);
  expect(toolOutput({ parts: [part] }).byteSize).toBe(bytes);
});

test('a stored output reads back as it was', () => {
  const output = toolOutput({
    parts: [
      { kind: 'text', text: 'a' },
      { kind: 'json', value: 1 },
    ],
    structured: [1],
  });
  for (const each of [
    output,
    textOutput('x'),
    jsonOutput({ a: 1 }),
    structuredOutput({ a: 1 }),
    emptyOutput(),
  ]) {
    const stored: ToolOutputData = JSON.parse(JSON.stringify(each));
    const read = toolOutput(stored);
    expect(read.toJSON()).toEqual(each.toJSON());
    expect([read.text(), read.byteSize]).toEqual([each.text(), each.byteSize]);
  }
});

test.each([
  ['a bigint', 10n],
  ['a symbol', Symbol('x')],
  ['a function', () => 1],
  ['undefined', undefined],
  ['not a number', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['a map', new Map([[1, 2]])],
])('%s is no JSON result', (_, value) => {
  expect(() => jsonOutput(value)).toThrow(invalid(''));
  expect(() => jsonOutput({ a: [value === undefined ? 1n : value] })).toThrow(invalid('/a/0'));
  expect(() => structuredOutput({ a: [value === undefined ? 1n : value] })).toThrow(invalid('/a/0'));
});

test('a getter that throws and a cycle are typed refusals that keep the cause', () => {
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  const throwing = {
    get a(): never {
      throw new Error('secret');
    },
  };
  expect(() => jsonOutput(cycle)).toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ code: 'json/cycle' }) }),
  );
  expect(() => jsonOutput(throwing)).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('secret') }),
  );
  expect(() => jsonOutput(throwing)).toThrow(invalid('/a'));
});

test.each([
  ['nothing', undefined],
  ['a number', 7],
  ['a boxed text', new String('x')],
])('%s is no text result', (_, text) => {
  expect(() => textOutput(text as string)).toThrow(invalid());
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
}

test.each([
  ['nothing', undefined],
  ['no parts', {}],
  ['parts that are no list', { parts: { length: 1 } }],
  [
    'parts that throw',
    {
      get parts(): never {
        throw new Error('x');
      },
    },
  ],
  [
    'structured that throws',
    {
      parts: [],
      get structured(): never {
        throw new Error('x');
      },
    },
  ],
  ['a revoked list', { parts: revoked() }],
  ['a structured value that has no JSON form', { parts: [], structured: 1n }],
])('%s makes no result', (_, data) => {
  expect(() => toolOutput(data as ToolOutputData)).toThrow(invalid());
});

test('only results are told to be results', () => {
  expect([textOutput(''), jsonOutput(1), toolOutput({ parts: [] })].every(isToolOutput)).toBe(true);
  expect(textOutput('').kind).toBe('tool-output');
  const data = { kind: 'tool-output', parts: [{ kind: 'text', text: 'x' }], byteSize: 1, text: 'x' };
  for (const value of [undefined, null, 'x', data, { parts: [] }, [], revoked()])
    expect(isToolOutput(value)).toBe(false);
});

const foreign = (parts: unknown): ToolOutput =>
  ({
    kind: 'tool-output',
    parts,
    byteSize: 1,
    structured: { a: 1 },
    text: () => 'a lie',
  }) as unknown as ToolOutput;

test('a result of another copy is checked and copied; its own words about itself are not used', () => {
  const parts: OutputPart[] = [{ kind: 'text', text: 'true' }];
  const output = outputOf(foreign(parts));
  parts.push({ kind: 'text', text: 'later' });
  expect([output.text(), output.byteSize, output.structured]).toEqual(['true', 4, { a: 1 }]);
  expect(() => outputOf(foreign([{ kind: 'video' }]))).toThrow(invalid('/parts/0/kind'));
});

test('a result of this copy is taken as it is, and what is no result is refused', () => {
  const output = textOutput('a');
  expect(outputOf(output)).toBe(output);
  expect(outputOf('a').text()).toBe('a');
  for (const value of [undefined, null, 7, { parts: [] }]) {
    expect(() => outputOf(value as unknown as string)).toThrow(invalid());
  }
});

test('one text or one JSON value is single, parts and foreign results are not', () => {
  expect([textOutput(''), jsonOutput(1), structuredOutput({})].map(isSingle)).toEqual([true, true, true]);
  expect([toolOutput({ parts: [{ kind: 'text', text: '' }] }), foreign([])].map(isSingle)).toEqual([
    false,
    false,
  ]);
});

test('whatever a handler gives becomes a result or a typed refusal', () => {
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
      (value) => {
        try {
          const output = jsonOutput(value);
          expect(JSON.parse(output.text())).toEqual(JSON.parse(JSON.stringify(value)));
        } catch (error) {
          expect(error).toMatchObject({ code: 'tool/output-invalid' });
        }
      },
    ),
  );
});
