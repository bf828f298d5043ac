import type { JsonObject, JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import type { ContentPart, Item } from '../call/item.ts';
import type { ModelCall, ResponseFormat, ToolChoice } from '../call/model-call.ts';
import { createGeminiCodec, gemini } from './gemini.ts';
import { demandsSignatures, SKIP_SIGNATURE } from './gemini-protocol.ts';

const USER: Item = { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] };
const TOOLS: ModelCall['tools'] = [
  { kind: 'function', name: 'a', parameters: { type: 'object' } },
  { kind: 'function', name: 'b', parameters: { type: 'object' } },
];

function encode(call: Partial<ModelCall>) {
  const { value, losses } = gemini.encodeRequest({ model: 'gemini-test', items: [USER], ...call });
  return { ...value, losses, paths: losses.map(({ code, path }) => `${code} ${path}`) };
}

function call(callId: string, name = 'a', text = '{}'): Item {
  return { kind: 'tool-call', callId, name, arguments: text };
}

function result(callId: string, name = 'a', text = 'ok'): Item {
  return { kind: 'tool-result', callId, name, parts: [{ kind: 'text', text }] };
}

function partsOf(body: JsonObject, index: number): readonly JsonObject[] {
  return (body['contents'] as { parts: JsonObject[] }[])[index]?.parts ?? [];
}

function responseOf(body: JsonObject, index: number): JsonValue | undefined {
  const result = partsOf(body, index)[0]?.['functionResponse'] as JsonObject | undefined;
  return result?.['response'];
}

describe('turns', () => {
  test('results are one content right behind their calls, in the order of the calls', () => {
    const { body, paths } = encode({
      items: [USER, call('1'), call('2', 'b'), result('2', 'b'), USER, result('1')],
    });
    expect((body['contents'] as JsonObject[]).map(({ role }) => role)).toEqual([
      'user',
      'model',
      'user',
      'user',
    ]);
    expect(partsOf(body, 2)).toMatchObject([
      { functionResponse: { id: '1', name: 'a' } },
      { functionResponse: { id: '2', name: 'b' } },
    ]);
    expect(paths).toEqual(expect.arrayContaining(['relocated /items/3', 'relocated /items/5']));
  });

  test('two calls of one function keep their results apart by place where the wire had no ids', () => {
    const body = {
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'a', args: { n: 1 } } },
            { functionCall: { name: 'b' } },
            { functionCall: { name: 'a', args: { n: 2 } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'b', response: {} } },
            { functionResponse: { name: 'a', response: { result: 'one' } } },
            { functionResponse: { name: 'a', response: { result: 'two' } } },
          ],
        },
      ],
    };
    const { value } = gemini.decodeRequest(body, { model: 'm' });
    const [, first, , second, , one, two] = value.items as (Item & { callId: string })[];
    expect([one?.callId, two?.callId]).toEqual([first?.callId, second?.callId]);
    const again = gemini.encodeRequest(value).value.body;
    expect(JSON.stringify(again)).not.toContain('"id"');
    expect(partsOf(again, 2).map((part) => (part['functionResponse'] as JsonObject)['response'])).toEqual([
      { result: 'one' },
      {},
      { result: 'two' },
    ]);
  });

  test('a system message in mid-conversation is said by the system instruction and never by the user', () => {
    const system: Item = { kind: 'message', role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] };
    const { body, paths } = encode({
      items: [USER, system, USER],
      instructions: [{ role: 'system', text: 'one' }],
    });
    expect(body['systemInstruction']).toEqual({ parts: [{ text: 'one' }, { text: 'Be brief.' }] });
    expect(JSON.stringify(body['contents'])).not.toContain('brief');
    expect(paths).toContain('relocated /items/1');
  });

  test('a result whose tool nobody names is refused', () => {
    const nameless: Item = { kind: 'tool-result', callId: '1', parts: [] };
    expect(() => encode({ items: [USER, nameless] })).toThrow(
      expect.objectContaining({ code: 'model/not-encodable' }),
    );
    expect(partsOf(encode({ items: [USER, call('1', 'a'), nameless] }).body, 2)).toMatchObject([
      { functionResponse: { name: 'a', response: {} } },
    ]);
  });
});

const PNG: ContentPart = {
  kind: 'image',
  source: { kind: 'base64', mediaType: 'image/png', data: 'aGVsbG8=' },
};
const PNG_BY_ADDRESS: ContentPart = { kind: 'image', source: { kind: 'url', url: 'https://a.test/b.png' } };

describe('results', () => {
  test.each<[string, ContentPart, string]>([
    [
      'an image by address',
      { kind: 'image', source: { kind: 'url', url: 'https://a.test/b.png' } },
      '[image left out: this protocol carries only inline media in a result. Its address: https://a.test/b.png]',
    ],
    [
      'a stored file',
      { kind: 'file', source: { kind: 'file-id', protocol: 'gemini', id: 'gs://a/b' } },
      '[file left out: this protocol carries only inline media in a result.]',
    ],
    [
      'a stored file of another provider',
      { kind: 'file', source: { kind: 'file-id', protocol: 'openai-chat', id: 'f1' } },
      '[file left out: this protocol cannot carry it]',
    ],
    [
      'a text document',
      { kind: 'file', source: { kind: 'text', mediaType: 'text/plain', text: 'what it says' } },
      'what it says',
    ],
  ])('%s in a result is text that the model reads', (_, part, text) => {
    const answer: Item = { kind: 'tool-result', callId: '1', name: 'a', parts: [part] };
    expect(responseOf(encode({ items: [USER, call('1'), answer] }).body, 2)).toEqual({ result: text });
  });

  test.each<[string, readonly ContentPart[], boolean]>([
    ['a text after an image', [PNG, { kind: 'text', text: 'x' }], true],
    ['what stands for another part after an image', [PNG, PNG_BY_ADDRESS], true],
    ['a text before an image', [{ kind: 'text', text: 'x' }, PNG], false],
    ['what stands for another part before an image', [PNG_BY_ADDRESS, PNG], false],
    ['texts alone', [{ kind: 'text', text: 'x' }, PNG_BY_ADDRESS, { kind: 'text', text: 'y' }], false],
  ])('%s goes to the front, and only what moves is said to move', (_, parts, moves) => {
    const answer: Item = { kind: 'tool-result', callId: '1', name: 'a', parts };
    const { paths } = encode({ items: [USER, call('1'), answer] });
    expect(paths.includes('relocated /items/2/parts')).toBe(moves);
  });

  const responses: readonly [string, Partial<Item & { kind: 'tool-result' }>, JsonObject][] = [
    ['a text', { parts: [{ kind: 'text', text: 'x' }] }, { result: 'x' }],
    ['a failure', { parts: [{ kind: 'text', text: 'x' }], isError: true }, { error: 'x' }],
    ['an object', { structured: { a: 1, result: 2 } }, { a: 1, result: 2 }],
    ['a list', { structured: [1, 2] }, { result: [1, 2] }],
    ['a number', { structured: 0 }, { result: 0 }],
    ['nothing', {}, {}],
    ['JSON text stays text', { parts: [{ kind: 'text', text: '{"a":1}' }] }, { result: '{"a":1}' }],
    [
      'a value with a schema in it is opaque text',
      { structured: { schema: { $ref: '#/$defs/__schema0', $defs: { __schema0: { type: 'string' } } } } },
      { result: '{"schema":{"$ref":"#/$defs/__schema0","$defs":{"__schema0":{"type":"string"}}}}' },
    ],
    [
      'a reference in a list',
      { structured: [{ deep: [{ $ref: '#' }] }] },
      { result: '[{"deep":[{"$ref":"#"}]}]' },
    ],
  ];

  test.each(responses)('%s', (_, item, expected) => {
    const { body } = encode({
      items: [USER, call('1'), { kind: 'tool-result', callId: '1', name: 'a', parts: [], ...item }],
    });
    expect(responseOf(body, 2)).toEqual(expected);
  });

  test.each<[JsonObject, JsonValue | undefined, string | undefined]>([
    [{ result: 'x' }, undefined, 'x'],
    [{ result: [1] }, [1], undefined],
    [{ result: { a: 1 } }, { result: { a: 1 } }, undefined],
    [{ result: 'x', more: 1 }, { result: 'x', more: 1 }, undefined],
    [{ output: 'x' }, { output: 'x' }, undefined],
    [{}, undefined, undefined],
  ])('only what is wrapped here is unwrapped: %j', (response, structured, text) => {
    const { value } = gemini.decodeRequest(
      {
        contents: [
          { role: 'user', parts: [{ text: 'hi' }] },
          { role: 'model', parts: [{ functionCall: { name: 'a', id: '1' } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'a', id: '1', response } }] },
        ],
      },
      { model: 'm' },
    );
    const item = value.items[2] as Item & { kind: 'tool-result' };
    expect(item.structured).toEqual(structured);
    expect(item.parts).toEqual(text === undefined ? [] : [{ kind: 'text', text }]);
    const again = gemini.encodeRequest(value).value.body;
    expect(responseOf(again, 2)).toEqual(response);
  });

  test('media go beside the object', () => {
    const image = {
      kind: 'image',
      source: { kind: 'base64', mediaType: 'image/png', data: 'AA==' },
    } as const;
    const { body, losses } = encode({
      items: [
        USER,
        call('1'),
        { kind: 'tool-result', callId: '1', name: 'a', parts: [{ kind: 'text', text: 'see' }, image] },
      ],
    });
    expect(partsOf(body, 2)[0]?.['functionResponse']).toMatchObject({
      response: { result: 'see' },
      parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }],
    });
    expect(losses).toEqual([]);
  });
});

describe('tools and the choice among them', () => {
  test.each<[string, ToolChoice, JsonObject]>([
    ['auto', { mode: 'auto' }, { mode: 'AUTO' }],
    ['any', { mode: 'any' }, { mode: 'ANY' }],
    ['none', { mode: 'none' }, { mode: 'NONE' }],
    ['one', { mode: 'named', name: 'b' }, { mode: 'ANY', allowedFunctionNames: ['b'] }],
    ['some, must', { mode: 'any', allowed: ['a', 'b'] }, { mode: 'ANY', allowedFunctionNames: ['a', 'b'] }],
    [
      'some, may: never AUTO with names',
      { mode: 'auto', allowed: ['a'] },
      { mode: 'VALIDATED', allowedFunctionNames: ['a'] },
    ],
  ])('%s', (_, toolChoice, expected) => {
    expect(encode({ tools: TOOLS, toolChoice }).body['toolConfig']).toEqual({
      functionCallingConfig: expected,
    });
  });

  test('no choice is no choice', () => {
    expect(encode({ tools: TOOLS }).body).not.toHaveProperty('toolConfig');
  });

  test('the strict mode without names comes back as it was', () => {
    const toolConfig = { functionCallingConfig: { mode: 'VALIDATED' } };
    const { value } = gemini.decodeRequest({ contents: [], toolConfig }, { model: 'm' });
    expect(value.toolChoice).toEqual({ mode: 'auto' });
    expect(gemini.encodeRequest(value).value.body['toolConfig']).toEqual(toolConfig);
  });

  test('a tool that is not offered cannot be chosen', () => {
    expect(() => encode({ tools: TOOLS, toolChoice: { mode: 'named', name: 'c' } })).toThrow(
      expect.objectContaining({ code: 'model/not-encodable', pointer: '/toolChoice' }),
    );
  });

  test('one call at a time cannot be said, which is a warning', () => {
    expect(encode({ tools: TOOLS, parallelToolCalls: false }).losses).toEqual([
      expect.objectContaining({ code: 'dropped', path: '/parallelToolCalls', severity: 'warning' }),
    ]);
  });

  test('a schema goes as it is, or projected into the classic member', () => {
    const parameters = {
      type: 'object',
      properties: { u: { type: 'string', format: 'uri' } },
      additionalProperties: false,
    };
    const tools: ModelCall['tools'] = [{ kind: 'function', name: 'a', parameters }];
    expect(encode({ tools }).body['tools']).toEqual([
      { functionDeclarations: [{ name: 'a', parametersJsonSchema: parameters }] },
    ]);
    const classic = createGeminiCodec({ schemas: 'parameters' }).encodeRequest({
      model: 'm',
      items: [USER],
      tools,
    });
    expect(classic.value.body['tools']).toEqual([
      {
        functionDeclarations: [
          {
            name: 'a',
            parameters: {
              type: 'OBJECT',
              properties: { u: { type: 'STRING', description: '(format uri)' } },
            },
          },
        ],
      },
    ]);
    expect(classic.losses.map(({ path }) => path)).toContain('/tools/0/parameters/properties/u/format');
  });

  test('a classic schema is JSON Schema in between and comes back as it was', () => {
    const parameters = {
      type: 'OBJECT',
      properties: {
        a: { type: 'STRING', nullable: true, enum: ['x'] },
        b: { type: 'ARRAY', items: { type: 'INTEGER' }, min_items: '1' },
      },
    };
    const body = { contents: [], tools: [{ function_declarations: [{ name: 'f', parameters }] }] };
    const { value } = gemini.decodeRequest(body, { model: 'm' });
    expect(value.tools?.[0]).toMatchObject({
      parameters: {
        type: 'object',
        properties: {
          a: { type: ['string', 'null'], enum: ['x', null] },
          b: { type: 'array', items: { type: 'integer' }, minItems: 1 },
        },
      },
    });
    expect(gemini.encodeRequest(value).value.body['tools']).toEqual([
      { functionDeclarations: [{ name: 'f', parameters }] },
    ]);
  });
});

describe('signatures', () => {
  const signed: Item = {
    kind: 'tool-call',
    callId: '1',
    name: 'a',
    arguments: '{}',
    signature: { protocol: 'gemini', form: 'signature', value: 'c2ln' },
  };

  test('stand on the part that they came with, and a thought of another route is not replayed', () => {
    const foreign: Item = {
      kind: 'reasoning',
      text: 'x',
      opaque: { protocol: 'anthropic', form: 'signature', value: 'secret' },
    };
    const { body, paths } = encode({ items: [USER, foreign, signed, result('1')] });
    expect(partsOf(body, 1)).toEqual([
      { functionCall: { id: '1', name: 'a', args: {} }, thoughtSignature: 'c2ln' },
    ]);
    expect(paths).toEqual(['dropped /items/1']);
  });

  test.each([
    ['gemini-3-pro', true],
    ['gemini-3.5-flash', true],
    ['google/gemini-10-pro', true],
    ['gemini-flash-latest', true],
    ['models/gemini-flash-lite-latest', true],
    ['gemini-2.5-flash', false],
    ['gemini-2.5-flash-latest', false],
    ['latest', false],
  ])('that %s demands a signature is %j', (model, demands) => {
    expect(demandsSignatures(model)).toBe(demands);
  });

  test('the first call of a step without one is excused where the model demands one', () => {
    const { body, paths } = encode({
      model: 'gemini-3-pro',
      items: [USER, call('1'), call('2'), result('1'), result('2')],
    });
    expect(partsOf(body, 1).map((part) => part['thoughtSignature'])).toEqual([SKIP_SIGNATURE, undefined]);
    expect(paths).toEqual(['synthesised /items/1/signature']);
    const own = encode({ model: 'gemini-3-pro', items: [USER, signed, call('2'), result('1'), result('2')] });
    expect(JSON.stringify(own.body)).not.toContain(SKIP_SIGNATURE);
  });
});

describe('the model in the path', () => {
  test.each([
    ['gemini-2.5-flash', undefined, 'models/gemini-2.5-flash:generateContent'],
    ['gemini-2.5-flash', true, 'models/gemini-2.5-flash:streamGenerateContent?alt=sse'],
    ['tunedModels/x', undefined, 'tunedModels/x:generateContent'],
    ['a:generateContent?x', undefined, 'models/a%3AgenerateContent%3Fx:generateContent'],
  ])('%s %s', (model, stream, path) => {
    expect(encode({ model, ...(stream === undefined ? {} : { stream }) }).path).toBe(path);
  });

  test.each(['../x', 'a//b', '', '.'])('%j leads elsewhere and is refused', (model) => {
    expect(() => encode({ model })).toThrow(
      expect.objectContaining({ code: 'model/not-encodable', pointer: '/model' }),
    );
  });
});

describe('what the body says in the other spelling', () => {
  test('is understood, and names of arguments and of members in schemas are not touched', () => {
    const { value, losses } = gemini.decodeRequest(
      {
        system_instruction: { parts: [{ text: 's' }] },
        generation_config: { max_output_tokens: 5, stop_sequences: ['x'] },
        contents: [
          { parts: [{ inline_data: { mime_type: 'image/png', data: 'AA==' } }] },
          { role: 'model', parts: [{ function_call: { name: 'f', args: { snake_case: { in_side: 1 } } } }] },
        ],
        tools: [
          {
            function_declarations: [
              { name: 'f', parameters_json_schema: { properties: { snake_case: {} } } },
            ],
          },
        ],
      },
      { model: 'm' },
    );
    expect(losses).toEqual([]);
    expect(value).toMatchObject({
      instructions: [{ text: 's' }],
      limits: { maxOutputTokens: 5 },
      sampling: { stop: ['x'] },
      items: [{ parts: [{ kind: 'image' }] }, { arguments: '{"snake_case":{"in_side":1}}' }],
      tools: [{ parameters: { properties: { snake_case: {} } } }],
    });
  });
});

describe('tools and a format in one request', () => {
  const tools: ModelCall['tools'] = [{ kind: 'function', name: 'find', parameters: { type: 'object' } }];
  const schema = { type: 'object', properties: { a: { type: 'string' } } };

  test.each<[string, ResponseFormat, ModelCall['tools'], boolean, readonly string[]]>([
    ['gemini-2.5-flash', { kind: 'json-schema', schema }, tools, false, ['warning']],
    ['gemini-2.0-flash', { kind: 'json-object' }, tools, false, ['warning']],
    ['gemini-2.5-flash', { kind: 'text' }, tools, true, []],
    ['gemini-2.5-flash', { kind: 'json-schema', schema }, undefined, true, []],
    ['gemini-3-flash-preview', { kind: 'json-schema', schema }, tools, true, []],
    ['m', { kind: 'json-schema', schema }, tools, true, []],
  ])('go to %s as far as it takes them together: %j', (model, responseFormat, offered, formatted, lost) => {
    const items: ModelCall['items'] = [
      { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    ];
    const call: ModelCall = { model, items, responseFormat, ...(offered ? { tools: offered } : {}) };
    const { losses, value } = gemini.encodeRequest(call);
    expect(JSON.stringify(value.body).includes('responseMimeType')).toBe(formatted);
    expect(losses.filter(({ path }) => path === '/responseFormat').map(({ severity }) => severity)).toEqual(
      lost,
    );
    expect(value.body['tools'] !== undefined).toBe(offered !== undefined);
  });
});

describe('a conversation that begins', () => {
  const said = (role: 'user' | 'assistant'): Item => ({
    kind: 'message',
    role,
    parts: [{ kind: 'text', text: 'hi' }],
  });
  const call: Item = { kind: 'tool-call', callId: 'c1', name: 'find', arguments: '{}' };
  const result: Item = { kind: 'tool-result', callId: 'c1', parts: [{ kind: 'text', text: 'ok' }] };

  test.each<[string, readonly Item[], boolean]>([
    ['with a call', [call, result], true],
    ['with words and a call', [said('assistant'), call, result, said('user')], true],
    ['with words of the model', [said('assistant'), said('user'), call, result], false],
    ['with the user', [said('user'), call, result], false],
  ])('%s has a turn before its first call', (_, items, isAdded) => {
    const { losses, value } = gemini.encodeRequest({ model: 'm', items });
    const contents = value.body['contents'] as readonly {
      readonly role: string;
      readonly parts: JsonValue;
    }[];
    const at = contents.findIndex(({ parts }) => JSON.stringify(parts).includes('functionCall'));
    expect(contents[at - 1]?.role).toBe(at === 0 ? undefined : 'user');
    expect(at).toBeGreaterThan(0);
    expect(JSON.stringify(contents[0]).includes('left out')).toBe(isAdded);
    expect(losses.some(({ code, path }) => code === 'synthesised' && path === '/items')).toBe(isAdded);
  });
});
