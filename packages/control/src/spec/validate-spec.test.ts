import { describe, expect, test } from 'vitest';
import type { ControlSpec } from './control-spec.ts';
import { validateInstruction, validateSpec } from './validate-spec.ts';

const good = (change: { readonly [Name in keyof ControlSpec]?: object | number } = {}): ControlSpec => ({
  tool: { name: 'finish', parameters: { type: 'object' }, ...(change.tool as object) },
  instruction: { role: 'system', text: 'Call finish.', ...(change.instruction as object) },
  ...('maxArgsBytes' in change ? { maxArgsBytes: change.maxArgsBytes as number } : {}),
});

const withParameters = (parameters: unknown): ControlSpec => good({ tool: { parameters } });
const invalid = expect.objectContaining({ code: 'control/spec-invalid' });

/** A schema whose text opens `depth` arrays and objects. */
const nested = (depth: number): string =>
  `{"type":"object","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('a spec', () => {
  test('1 a tool name may have 256 bytes and not 257', () => {
    expect(validateSpec(good({ tool: { name: 'n'.repeat(256) } })).tool.name).toHaveLength(256);
    expect(() => validateSpec(good({ tool: { name: 'n'.repeat(257) } }))).toThrow(invalid);
  });

  test.each(['finish ', ' finish', '\tfinish', '', '   '])('2 the name %j is not exact', (name) => {
    expect(() => validateSpec(good({ tool: { name } }))).toThrow(invalid);
  });

  test('3 bytes are counted and not characters', () => {
    expect(validateSpec(good({ tool: { name: 'é'.repeat(128) } })).tool.name).toHaveLength(128);
    expect(() => validateSpec(good({ tool: { name: 'é'.repeat(129) } }))).toThrow(invalid);
    expect(() => validateSpec(good({ tool: { name: '\u{1F600}'.repeat(65) } }))).toThrow(invalid);
  });

  test.each([
    ['at the root', { type: 'object', $ref: '#/x' }],
    ['in an object', { type: 'object', properties: { a: { $ref: '#/x' } } }],
    ['in an array', { type: 'object', anyOf: [{ not: [{ $ref: '#' }] }] }],
    ['in text', '{"type":"object","allOf":[{"$ref":"#/x"}]}'],
  ])('4 a $ref %s is refused', (_, parameters) => {
    expect(() => validateSpec(withParameters(parameters))).toThrow(invalid);
  });

  test.each([
    ['another type', { type: 'string' }],
    ['another type in text', '{"type":"string"}'],
    ['a list of other types', { type: ['string', 'null'] }],
    ['an unknown type', { type: 'objekt' }],
    ['an unknown type beside a known one', { type: ['object', 'objekt'] }],
    ['an empty list of types', { type: [] }],
    ['a type that is no word', { type: 7, properties: { a: {} } }],
    ['an array', '[{"type":"object"}]'],
    ['a scalar', '"object"'],
    ['null', null],
    ['nothing', undefined],
    ['a second value', '{"type":"object"}{}'],
    ['a cut text', '{"type":"object"'],
    ['a duplicate member', '{"type":"object","type":"object"}'],
    ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d)],
    ['properties that are no object', { type: 'object', properties: ['a'] }],
    ['no type and no properties', {}],
    ['no type and empty properties', { properties: {} }],
    ['a function', () => ({ type: 'object' })],
  ])('5 parameters that are %s are refused', (_, parameters) => {
    expect(() => validateSpec(withParameters(parameters))).toThrow(invalid);
  });

  test('6 no type is needed where there are properties', () => {
    expect(validateSpec(withParameters({ properties: { a: {} } })).tool.parameters).toEqual({
      properties: { a: {} },
    });
    expect(validateSpec(withParameters({ type: ['null', 'object'] })).tool.parameters).toEqual({
      type: ['null', 'object'],
    });
  });

  test('7 parameters may be nested 64 deep and not 65', () => {
    expect(validateSpec(withParameters(nested(64))).tool.parameters).toHaveProperty('x');
    expect(() => validateSpec(withParameters(nested(65)))).toThrow(invalid);
    expect(() => validateSpec(withParameters(JSON.parse(nested(65))))).toThrow(invalid);
  });

  test('8 brackets inside strings are no depth', () => {
    const description = '[{'.repeat(200);
    const text = JSON.stringify({ type: 'object', description });
    expect(validateSpec(withParameters(text)).tool.parameters).toEqual({ type: 'object', description });
  });

  test.each([
    ['the role of a user', { role: 'user' }],
    ['the role of an assistant', { role: 'assistant' }],
    ['no role', { role: undefined }],
    ['U+0000', { text: 'a\0b' }],
    ['blank text', { text: ' \n' }],
    ['no text', { text: undefined }],
    ['half of a pair', { text: 'a\ud800' }],
    ['more than 64 KiB', { text: 'é'.repeat(32_769) }],
  ])('9 an instruction with %s is refused', (_, instruction) => {
    expect(() => validateSpec(good({ instruction }))).toThrow(invalid);
    expect(() => validateInstruction({ role: 'system', text: 'x', ...instruction })).toThrow(invalid);
  });

  test.each([0, 65_537, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1' as unknown as number])(
    '10 a budget of %s is refused',
    (maxArgsBytes) => {
      expect(() => validateSpec(good({ maxArgsBytes }))).toThrow(invalid);
    },
  );

  test('the budget is 64 KiB by default, and may be as small as one byte', () => {
    expect(validateSpec(good()).maxArgsBytes).toBe(65_536);
    expect(validateSpec(good({ maxArgsBytes: 1 })).maxArgsBytes).toBe(1);
  });

  test('the tool is looked at first, then the instruction, then the budget', () => {
    const broken = { tool: { name: '' }, instruction: { role: 'user' }, maxArgsBytes: 0 };
    expect(() => validateSpec(good(broken))).toThrow(/name of the tool/);
    expect(() => validateSpec(good({ ...broken, tool: {} }))).toThrow(/role/);
    expect(() => validateSpec(good({ maxArgsBytes: 0 }))).toThrow(/maxArgsBytes/);
  });

  test.each([
    ['a description that is no text', { description: 7 }],
    ['a description of more than 32 KiB', { description: 'd'.repeat(32_769) }],
    ['a description with half of a pair', { description: '\udc00' }],
    ['parameters of more than 256 KiB', { parameters: { type: 'object', d: 'x'.repeat(262_144) } }],
    [
      'parameters whose bytes are more than 256 KiB',
      { parameters: { type: 'object', d: 'é'.repeat(131_072) } },
    ],
  ])('%s is refused', (_, tool) => {
    expect(() => validateSpec(good({ tool }))).toThrow(invalid);
  });

  test('a description of 32 KiB is kept', () => {
    const description = 'd'.repeat(32_768);
    expect(validateSpec(good({ tool: { description } })).tool.description).toBe(description);
  });

  test.each([null, undefined, 'spec', 7])('%j is no spec', (spec) => {
    expect(() => validateSpec(spec as unknown as ControlSpec)).toThrow(invalid);
  });

  test('a spec is copied: later changes reach it no more, and the copy cannot be changed', () => {
    const parameters = { type: 'object', properties: { b: {}, a: {} } };
    const spec = good({ tool: { parameters } });
    const checked = validateSpec(spec);
    parameters.type = 'string';
    Reflect.set(spec.tool, 'name', 'other');
    expect(checked.tool).toEqual({
      kind: 'function',
      name: 'finish',
      parameters: { type: 'object', properties: { b: {}, a: {} } },
    });
    expect(Object.isFrozen(checked) && Object.isFrozen(checked.tool)).toBe(true);
    expect(Object.isFrozen(checked.tool.parameters['properties'])).toBe(true);
  });

  test('text, bytes and value of the same parameters give the same tool, members in their order', () => {
    const text = '{"properties":{"b":{},"a":{}},"type":"object"}';
    const tools = [text, new TextEncoder().encode(text), JSON.parse(text) as unknown].map((parameters) =>
      JSON.stringify(validateSpec(withParameters(parameters)).tool.parameters),
    );
    expect(tools).toEqual([text, text, text]);
  });

  test('what was checked is checked no second time', () => {
    const checked = validateSpec(good());
    expect(validateSpec(checked)).toBe(checked);
    expect(validateSpec({ ...checked })).not.toBe(checked);
  });

  test('getters that throw, and members of a prototype, are no members', () => {
    const throwing = Object.defineProperty({ ...good() }, 'tool', {
      enumerable: true,
      get: () => {
        throw new Error('secret');
      },
    });
    expect(() => validateSpec(throwing)).toThrow(invalid);
    expect(() => validateSpec(Object.create(good()) as ControlSpec)).toThrow(invalid);
  });

  test('each member is read once, so that it cannot change between check and use', () => {
    let reads = 0;
    const tool = {
      get name() {
        reads += 1;
        return reads === 1 ? 'finish' : ' ';
      },
      parameters: { type: 'object' },
    };
    expect(validateSpec({ ...good(), tool }).tool.name).toBe('finish');
    expect(reads).toBe(1);
  });

  test('messages hold nothing of the spec', () => {
    const secret = 'sk-planted-secret';
    const fault = (): unknown => validateSpec(withParameters(`{"${secret}":`));
    expect(fault).toThrow(expect.objectContaining({ message: expect.not.stringContaining(secret) }));
  });
});
