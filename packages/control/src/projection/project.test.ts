import { inspect } from 'node:util';
import {
  anthropic,
  applyEdits,
  codecOf,
  gemini,
  type Instruction,
  type Item,
  type ModelCall,
  openaiChat,
  openaiResponses,
  PROTOCOLS,
  type ToolChoice,
} from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { active, callOf, message, SPEC, TOOLS } from '../../test-support/calls.ts';
import { INELIGIBILITIES } from './ineligibility.ts';
import { project } from './project.ts';
import { Projection } from './projection.ts';

const reasonOf = (change: Partial<ModelCall>): string =>
  project(callOf(change), SPEC, TOOLS).projection.reason;
const choice = (value: unknown): ToolChoice => value as ToolChoice;
const { role, text } = SPEC.instruction;
const exact: Instruction = { role, text };
const said = { protocol: 'openai-chat', members: { name: 'x' } } as const;

describe('a call that is not eligible comes back as the same value, with the reason', () => {
  test('16 no tools at the backend', () => {
    const call = callOf();
    const { call: same, projection } = project(call, SPEC, new Set(['streaming']));
    expect(same).toBe(call);
    expect([projection.active, projection.reason]).toEqual([false, 'backend_tools_unsupported']);
    expect([projection.tool, projection.toolName, projection.maxArgsBytes]).toEqual([undefined, '', 0]);
    expect([projection.instruction, projection.toolChoice, projection.edits]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });

  test.each([null, undefined])('17 capabilities that are %s', (capabilities) => {
    const call = callOf();
    const projected = project(call, SPEC, capabilities);
    expect(projected.call).toBe(call);
    expect(projected.projection.reason).toBe('backend_tools_unsupported');
  });

  test.each([
    [{ mode: 'none' }, 'tool_choice_none'],
    [{ mode: 'any' }, 'tool_choice_constrained'],
    [{ mode: 'any', allowed: ['lookup'] }, 'tool_choice_constrained'],
    [{ mode: 'named', name: 'lookup' }, 'tool_choice_required'],
    [{ mode: 'foreign', protocol: 'openai-responses', value: {} }, 'tool_choice_constrained'],
    [{ mode: 'sometimes' }, 'tool_choice_constrained'],
    [{}, 'tool_choice_constrained'],
  ])('18 the tool choice %j', (toolChoice, reason) => {
    const call = callOf({ toolChoice: choice(toolChoice) });
    const projected = project(call, SPEC, TOOLS);
    expect(projected.call).toBe(call);
    expect(projected.projection.reason).toBe(reason);
  });

  test('19 a tool that is demanded without a name', () => {
    expect(reasonOf({ toolChoice: choice({ mode: 'named' }) })).toBe('tool_choice_required');
  });

  test('20 a free choice with a stray name', () => {
    expect(reasonOf({ toolChoice: choice({ mode: 'auto', name: 'lookup' }) })).toBe('tool_choice_required');
    expect(reasonOf({ toolChoice: choice({ mode: 'auto', name: '' }) })).toBe('');
  });

  test('21 a list of allowed tools, unless it is empty', () => {
    expect(reasonOf({ toolChoice: { mode: 'auto', allowed: ['x'] } })).toBe('allowed_tools_constrained');
    expect(reasonOf({ toolChoice: { mode: 'auto', allowed: [] } })).toBe('');
    expect(reasonOf({ toolChoice: { mode: 'auto' } })).toBe('');
    expect(reasonOf({ toolChoice: null })).toBe('');
  });

  test('22 a tool of that name, also where it is the same in every byte', () => {
    expect(reasonOf({ tools: [SPEC.tool] })).toBe('tool_name_collision');
    expect(reasonOf({ tools: [{ kind: 'function', name: 'finish' }] })).toBe('tool_name_collision');
    const custom = { kind: 'foreign', protocol: 'openai-responses', name: 'finish', value: {} } as const;
    expect(reasonOf({ tools: [custom] })).toBe('tool_name_collision');
  });

  test('23 a name in other case is another name', () => {
    expect(reasonOf({ tools: [{ ...SPEC.tool, name: 'Finish' }] })).toBe('');
  });

  test.each<[string, Partial<ModelCall>]>([
    ['among the instructions', { instructions: [{ role: 'system', text: 'First.' }, exact] }],
    ['in an instruction that came as an item', { instructions: [{ ...exact, origin: 'item' }] }],
    ['late in the conversation', { items: [message('user', 'Hi'), message('system', text)] }],
    ['at its head', { items: [message('system', text), message('user', 'Hi')] }],
  ])('24 exactly the control instruction %s', (_, change) => {
    expect(reasonOf(change)).toBe('instruction_collision');
  });

  test.each<[string, Partial<ModelCall>]>([
    ['said by the user', { items: [message('user', text)] }],
    ['in another role', { instructions: [{ role: 'developer', text }] }],
    ['with members of its own', { instructions: [{ ...exact, extensions: said }] }],
    ['with a word more', { instructions: [{ role: 'system', text: `${text} Please.` }] }],
    ['as an item with an id', { items: [{ ...message('system', text), id: 'msg_1' } as Item] }],
    ['as an item with members', { items: [{ ...message('system', text), extensions: said } as Item] }],
    [
      'in two parts',
      {
        items: [
          {
            kind: 'message',
            role: 'system',
            parts: [
              { kind: 'text', text: text.slice(0, 5) },
              { kind: 'text', text: text.slice(5) },
            ],
          },
        ],
      },
    ],
    [
      'in a part with members',
      { items: [{ kind: 'message', role: 'system', parts: [{ kind: 'text', text, extensions: said }] }] },
    ],
    ['as a refusal', { items: [{ kind: 'message', role: 'system', parts: [{ kind: 'refusal', text }] }] }],
  ])('25 the same text %s is the data of the client and stays', (_, change) => {
    const call = callOf(change);
    const projected = project(call, SPEC, TOOLS);
    expect(projected.projection.reason).toBe('');
    expect(projected.call.items).toEqual(call.items);
    expect(projected.call.instructions?.slice(1)).toEqual(call.instructions);
  });

  test('26 the first reason counts, in the order of the list', () => {
    const everything: Partial<ModelCall> = {
      toolChoice: { mode: 'none' },
      responseFormat: { kind: 'json-object' },
      tools: [SPEC.tool],
      instructions: [exact],
    };
    expect(project(callOf(everything), SPEC, null).projection.reason).toBe(INELIGIBILITIES[0]);
    expect(reasonOf(everything)).toBe('tool_choice_none');
    expect(reasonOf({ ...everything, toolChoice: { mode: 'auto', allowed: ['lookup'] } })).toBe(
      'allowed_tools_constrained',
    );
    expect(reasonOf({ ...everything, toolChoice: null })).toBe('output_format_unsupported');
    expect(reasonOf({ ...everything, toolChoice: null, responseFormat: null })).toBe('tool_name_collision');
    expect(reasonOf({ instructions: [exact] })).toBe('instruction_collision');
  });

  test.each<[string, string, Partial<ModelCall>]>([
    ['output_format_unsupported', 'a JSON schema', { responseFormat: { kind: 'json-schema', schema: {} } }],
    ['output_format_unsupported', 'any JSON', { responseFormat: { kind: 'json-object' } }],
    [
      'output_format_unsupported',
      'a grammar',
      { responseFormat: { kind: 'foreign', protocol: 'openai-responses', value: { type: 'grammar' } } },
    ],
    ['', 'text', { responseFormat: { kind: 'text' } }],
    ['', 'nothing', { responseFormat: null }],
  ])('27 %j for a format that is %s', (reason, _, change) => {
    expect(reasonOf(change)).toBe(reason);
  });

  test.each([
    ['output_format_unsupported', openaiChat, { messages: [], modalities: ['text', 'audio'] }],
    ['output_format_unsupported', openaiChat, { messages: [], modalities: 'text' }],
    ['output_format_unsupported', openaiChat, { messages: [], audio: { voice: 'a' } }],
    ['output_format_unsupported', openaiChat, { messages: [], guided_regex: '[0-9]+' }],
    ['output_format_unsupported', openaiChat, { messages: [], extra_body: { guided_json: {} } }],
    ['output_format_unsupported', openaiChat, { messages: [], response_format: { type: 'regex' } }],
    ['output_format_unsupported', openaiResponses, { input: 'x', text: { format: { type: 'json_object' } } }],
    ['output_format_unsupported', openaiResponses, { input: 'x', text: { format: { type: 'new' } } }],
    ['output_format_unsupported', anthropic, { messages: [], output_format: { type: 'json_schema' } }],
    ['output_format_unsupported', anthropic, { messages: [], output_config: { format: { type: 'new' } } }],
    [
      'output_format_unsupported',
      gemini,
      { contents: [], generationConfig: { responseMimeType: 'text/x.enum' } },
    ],
    ['output_format_unsupported', gemini, { contents: [], generationConfig: { responseSchema: {} } }],
    [
      'output_format_unsupported',
      gemini,
      { contents: [], generationConfig: { responseModalities: ['IMAGE'] } },
    ],
    ['output_format_unsupported', gemini, { contents: [], generationConfig: { speechConfig: {} } }],
    ['', openaiChat, { messages: [], modalities: ['text'], audio: null, response_format: { type: 'text' } }],
    ['', openaiResponses, { input: 'x', text: { format: { type: 'text' }, verbosity: 'low' } }],
    ['', anthropic, { messages: [], output_config: { effort: 'low' } }],
    [
      '',
      gemini,
      { contents: [], generationConfig: { responseMimeType: 'text/plain', responseModalities: ['TEXT'] } },
    ],
    ['', openaiChat, { messages: [], text: 'no holder', metadata: { format: 'x' } }],
  ])('27 %j on the wire: %#', (reason, codec, body) => {
    const { value } = codec.decodeRequest({ model: 'm', ...body });
    expect(project(value, SPEC, TOOLS).projection.reason).toBe(reason);
  });
});

describe('an eligible call', () => {
  test('28 with an invalid spec is an error, and so is one that is not eligible', () => {
    const spec = { ...SPEC, maxArgsBytes: 0 };
    const invalid = expect.objectContaining({ code: 'control/spec-invalid' });
    expect(() => project(callOf(), spec, TOOLS)).toThrow(invalid);
    expect(() => project(callOf({ toolChoice: { mode: 'none' } }), spec, null)).toThrow(invalid);
  });

  test('29 has the tool last, the instruction first, and nothing else changed', () => {
    const call = callOf({
      toolChoice: { mode: 'auto', allowed: [] },
      extensions: { protocol: 'openai-chat', members: { prompt_cache_key: 'k' } },
      sampling: { temperature: 0 },
    });
    const projected = project(call, SPEC, TOOLS);
    const { tools, instructions, ...rest } = projected.call;
    const { tools: before, instructions: saidBefore, ...others } = call;
    expect(tools).toEqual([...(before ?? []), SPEC.tool]);
    expect(instructions).toEqual([exact, ...(saidBefore ?? [])]);
    expect(rest).toEqual(others);
    expect(rest.items).toBe(call.items);
    expect([projected.projection.active, projected.projection.reason]).toEqual([true, '']);
  });

  test.each([null, [], undefined])(
    '30 with instructions that are %j keeps them, and what comes out cannot be changed',
    (none) => {
      const { instructions: _, tools: __, ...bare } = callOf();
      const call: ModelCall = none === undefined ? bare : { ...bare, instructions: none, tools: none };
      const before = JSON.stringify(call);
      const { call: projected } = project(call, SPEC, TOOLS);
      expect(projected.instructions).toEqual([exact]);
      expect(projected.tools).toEqual([SPEC.tool]);
      expect(() => (projected.tools as unknown[]).push('x')).toThrow(TypeError);
      expect(() => (projected.instructions as unknown[]).pop()).toThrow(TypeError);
      expect(JSON.stringify(call)).toBe(before);
      expect(call.instructions).toBe(none);
    },
  );

  test('30 does not notice when its own buffers change later', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string' } } };
    const tools = [{ kind: 'function' as const, name: 'lookup', parameters }];
    const { call } = project(callOf({ tools }), SPEC, TOOLS);
    parameters.properties.a.type = 'number';
    tools.pop();
    expect(call.tools?.[0]).toEqual({
      kind: 'function',
      name: 'lookup',
      parameters: { type: 'object', properties: { a: { type: 'string' } } },
    });
  });

  test('31 has a projection that nobody can change', () => {
    const toolChoice = { mode: 'auto' as const, allowed: [] as string[] };
    const { projection } = project(callOf({ toolChoice }), SPEC, TOOLS);
    toolChoice.allowed.push('x');
    const parts = [
      projection,
      projection.tool,
      projection.instruction,
      projection.edits,
      projection.toolChoice,
    ];
    expect(parts.every(Object.isFrozen)).toBe(true);
    expect(Reflect.set(projection.tool ?? {}, 'name', 'other')).toBe(false);
    expect(Reflect.set(projection, 'active', false)).toBe(false);
    expect([projection.toolName, projection.maxArgsBytes]).toEqual(['finish', 64]);
    expect(projection.toolChoice).toEqual({ mode: 'auto', allowed: [] });
    expect(projection.instruction).toEqual(exact);
  });

  test('32 that goes on from a stored answer, without items, gets the control instruction alone', () => {
    const { tools: _, instructions: __, ...bare } = callOf({ items: [], previousResponseId: 'resp_1' });
    expect(project(bare, SPEC, TOOLS).call).toEqual({ ...bare, instructions: [exact], tools: [SPEC.tool] });
  });

  test('33 that has the control tool already collides with it', () => {
    const { call } = active();
    const again = project(call, SPEC, TOOLS);
    expect(again.call).toBe(call);
    expect(again.projection.reason).toBe('tool_name_collision');
  });

  test.each(PROTOCOLS)('of %s is not copied: what a codec made is frozen already', (protocol) => {
    const codec = codecOf(protocol);
    const body = codec.encodeRequest(callOf({ limits: { maxOutputTokens: 9 } })).value.body;
    const { value } = codec.decodeRequest(JSON.parse(JSON.stringify(body)), { model: 'm' });
    const { call } = project(value, SPEC, TOOLS);
    expect(value.tools?.length).toBe(2);
    value.tools?.forEach((tool, at) => {
      expect(call.tools?.[at]).toBe(tool);
    });
    value.instructions?.forEach((each, at) => {
      expect(call.instructions?.[at + 1]).toBe(each);
    });
  });

  test('gives the same bytes for the same call, turn after turn', () => {
    expect(JSON.stringify(active().call)).toBe(JSON.stringify(active().call));
  });
});

describe('a projection', () => {
  test('has no content in JSON or in a log', () => {
    const { projection } = active();
    expect(JSON.stringify({ projection })).toBe('{"projection":{"active":true,"reason":""}}');
    expect(inspect(projection, { depth: 9, showHidden: true })).not.toMatch(/finish|Ends the task/);
    expect(Object.keys(projection)).toEqual([]);
  });

  test('is made by project alone', () => {
    const Maker = Projection as unknown as new (...given: readonly unknown[]) => unknown;
    const refused = expect.objectContaining({ code: 'control/options-invalid' });
    expect(() => new Maker()).toThrow(refused);
    expect(() => new Maker(Symbol('seal'), { spec: SPEC }, '')).toThrow(refused);
    expect(() => new Maker(undefined, undefined, 'tool_choice_none')).toThrow(refused);
  });

  test.each(PROTOCOLS)('has the same change as edits of a body of %s', (protocol) => {
    const codec = codecOf(protocol);
    const { projection } = active();
    const bare: ModelCall = {
      model: 'm',
      items: [message('user', 'Hello')],
      limits: { maxOutputTokens: 9 },
      instructions: [{ role: 'system', text: 'Be brief.' }],
      tools: [{ kind: 'function', name: 'lookup', parameters: { type: 'object' } }],
    };
    const original = JSON.stringify(codec.encodeRequest(bare).value.body);
    const edited = applyEdits(protocol, original, projection.edits);
    const { value } = codec.decodeRequest(JSON.parse(edited), { model: 'm' });
    expect(value.tools?.map(({ name }) => name)).toEqual(['lookup', 'finish']);
    expect(value.instructions?.[0]?.text.startsWith(text)).toBe(true);
    expect(value.items).toEqual(bare.items);
  });
});
