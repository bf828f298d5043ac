import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import type { Item } from '../call/item.ts';
import type { ModelCall, ToolChoice } from '../call/model-call.ts';
import { openaiChat } from '../openai-chat/openai-chat.ts';
import { anthropic } from './anthropic.ts';
import { ANTHROPIC_DEFAULT_MAX_TOKENS } from './anthropic-protocol.ts';

const USER: Item = { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] };
const TOOLS: ModelCall['tools'] = [
  { kind: 'function', name: 'a', parameters: { type: 'object' } },
  { kind: 'function', name: 'b', parameters: { type: 'object' } },
];

function encode(call: Partial<ModelCall>) {
  const { value, losses } = anthropic.encodeRequest({
    model: 'm',
    items: [USER],
    limits: { maxOutputTokens: 4000 },
    ...call,
  });
  return { body: value.body, losses, paths: losses.map(({ code, path }) => `${code} ${path}`) };
}

function call(callId: string, text = '{}'): Item {
  return { kind: 'tool-call', callId, name: 'a', arguments: text };
}

function result(callId: string, text = 'ok'): Item {
  return { kind: 'tool-result', callId, parts: [{ kind: 'text', text }] };
}

describe('turns', () => {
  test('all results of a turn are the first blocks of the one user message behind it', () => {
    const { body, losses } = encode({ items: [USER, call('1'), call('2'), result('2'), result('1'), USER] });
    expect(body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ id: '1' }, { id: '2' }] },
      { role: 'user', content: [{ tool_use_id: '2' }, { tool_use_id: '1' }, { type: 'text', text: 'hi' }] },
    ]);
    expect(losses).toEqual([]);
  });

  test('a result that came late moves in front of what the user said in between', () => {
    const { body, paths } = encode({ items: [USER, call('1'), call('2'), result('1'), USER, result('2')] });
    expect(body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user', content: [{ tool_use_id: '1' }, { tool_use_id: '2' }, { type: 'text' }] },
    ]);
    expect(paths).toEqual(['relocated /items/5']);
  });

  test('neighbouring messages of one role are one, which is a loss', () => {
    const { body, paths } = encode({ items: [USER, USER] });
    expect(body['messages']).toHaveLength(1);
    expect(paths).toEqual(['approximated /items/1']);
  });

  test('a system message in mid-conversation keeps its authority', () => {
    const system: Item = { kind: 'message', role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] };
    const { body, losses } = encode({ items: [USER, system, USER] });
    expect((body['messages'] as JsonObject[]).map(({ role }) => role)).toEqual(['user', 'system', 'user']);
    expect(losses).toEqual([]);
  });

  test.each(['', ' ', '\n\t'])('blank text %j is left out, and the message with it', (text) => {
    const blank: Item = { kind: 'message', role: 'assistant', parts: [{ kind: 'text', text }] };
    const { body, paths } = encode({ items: [USER, blank, USER] });
    expect(JSON.stringify(body)).not.toContain('assistant');
    expect(paths).toContain('dropped /items/1/parts/0');
  });

  test('white space at the end of a text to be continued is cut off, elsewhere it stays', () => {
    const said: Item = {
      kind: 'message',
      role: 'assistant',
      parts: [{ kind: 'text', text: 'The answer is \n' }],
    };
    expect(JSON.stringify(encode({ items: [USER, said] }).body)).toContain('"The answer is"');
    expect(JSON.stringify(encode({ items: [USER, said, USER] }).body)).toContain('"The answer is \\n"');
  });
});

describe('calls', () => {
  test('arguments are an object, encoded once, integers and all', () => {
    const { body } = encode({ items: [USER, call('1', '{"a":3,"b":{"c":[4]}}'), result('1')] });
    expect(JSON.stringify(body)).toContain('"input":{"a":3,"b":{"c":[4]}}');
  });

  test.each(['{', '[]', '"{}"', '{"a":1,"a":2}', '{"__proto__":1}', 'null'])(
    'past arguments %j are an empty object and a loss, never a text smuggled in',
    (text) => {
      const { body, losses } = encode({ items: [USER, call('1', text), result('1')] });
      expect(JSON.stringify(body)).toContain('"input":{}');
      expect(losses).toEqual([
        expect.objectContaining({ code: 'approximated', path: '/items/1/arguments', severity: 'warning' }),
      ]);
    },
  );

  test('an integer that a number cannot hold is rounded with a loss and does not cost the arguments', () => {
    const { body, paths } = encode({
      items: [USER, call('1', '{"id":9007199254740993,"b":1}'), result('1')],
    });
    expect(JSON.stringify(body)).toContain('"b":1');
    expect(paths).toContain('approximated /items/1/arguments');
  });

  test('an id that the API refuses gets an alias on both sides, and distinct ids stay distinct', () => {
    const ids = ['functions.write_todos:0', 'functions_write_todos_0', 'a\nb', 'x'.repeat(100)];
    const { body } = encode({ items: [USER, ...ids.map((id) => call(id)), ...ids.map((id) => result(id))] });
    const [, asked, answered] = body['messages'] as { content: JsonObject[] }[];
    const used = asked?.content.map(({ id }) => id) ?? [];
    expect(answered?.content.map(({ tool_use_id: id }) => id)).toEqual(used);
    expect(new Set(used).size).toBe(ids.length);
    for (const id of used) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(used[1]).toBe('functions_write_todos_0');
  });

  test('a result without a call is refused and not guessed', () => {
    expect(() => encode({ items: [USER, result('nobody')] })).toThrow(
      expect.objectContaining({ code: 'model/not-encodable', pointer: '/items/1' }),
    );
  });
});

describe('results', () => {
  const content = (item: Partial<Item & { kind: 'tool-result' }>) => {
    const { body, paths } = encode({
      items: [USER, call('1'), { kind: 'tool-result', callId: '1', parts: [], ...item }],
    });
    const messages = body['messages'] as { content: JsonObject[] }[];
    return { block: messages[2]?.content[0], paths };
  };

  test('text, images and documents are blocks; a failure is marked', () => {
    const { block } = content({
      parts: [
        { kind: 'text', text: 'see' },
        { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA==' } },
        {
          kind: 'file',
          name: 'a.pdf',
          source: { kind: 'base64', mediaType: 'application/pdf', data: 'AA==' },
        },
      ],
      isError: true,
    });
    expect(block).toEqual({
      type: 'tool_result',
      tool_use_id: '1',
      is_error: true,
      content: [
        { type: 'text', text: 'see' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
        {
          type: 'document',
          title: 'a.pdf',
          source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' },
        },
      ],
    });
  });

  test('a structured value is JSON text; nothing at all is no content', () => {
    expect(content({ structured: { a: [1] } }).block?.['content']).toEqual([
      { type: 'text', text: '{"a":[1]}' },
    ]);
    expect(content({}).block).toEqual({ type: 'tool_result', tool_use_id: '1' });
  });

  test('sound leaves a visible note and an error loss', () => {
    const { block, paths } = content({
      parts: [{ kind: 'audio', source: { kind: 'base64', mediaType: 'audio/wav', data: 'AA==' } }],
    });
    expect(JSON.stringify(block)).toContain('[audio left out');
    expect(paths).toEqual(['dropped /items/2/parts/0']);
  });
});

describe('tools and the choice among them', () => {
  test.each<[string, Partial<ModelCall>, JsonObject | undefined]>([
    ['no choice', {}, undefined],
    ['auto', { toolChoice: { mode: 'auto' } }, { type: 'auto' }],
    ['any', { toolChoice: { mode: 'any' } }, { type: 'any' }],
    ['none', { toolChoice: { mode: 'none' } }, { type: 'none' }],
    ['one', { toolChoice: { mode: 'named', name: 'b' } }, { type: 'tool', name: 'b' }],
    [
      'one call at a time',
      { toolChoice: { mode: 'any' }, parallelToolCalls: false },
      { type: 'any', disable_parallel_tool_use: true },
    ],
    [
      'one call at a time, no choice',
      { parallelToolCalls: false },
      { type: 'auto', disable_parallel_tool_use: true },
    ],
  ])('%s', (_, part, expected) => {
    const { body } = encode({ tools: TOOLS, ...part });
    expect(body['tool_choice']).toEqual(expected);
    expect(body['tools']).toHaveLength(2);
  });

  test('a choice among some offers only those, which is a warning', () => {
    const { body, losses } = encode({ tools: TOOLS, toolChoice: { mode: 'any', allowed: ['b'] } });
    expect(body['tools']).toMatchObject([{ name: 'b' }]);
    expect(body['tool_choice']).toEqual({ type: 'any' });
    expect(losses).toContainEqual(
      expect.objectContaining({ path: '/toolChoice/allowed', severity: 'warning' }),
    );
  });

  test.each<[string, ToolChoice]>([
    ['a tool that is not offered', { mode: 'named', name: 'c' }],
    ['a choice of another protocol', { mode: 'foreign', protocol: 'openai-chat', value: {} }],
    ['a call of none that is offered', { mode: 'any', allowed: ['c'] } as const],
  ])('%s cannot be said', (_, toolChoice) => {
    expect(() => encode({ tools: TOOLS, toolChoice })).toThrow(
      expect.objectContaining({ code: 'model/not-encodable', pointer: '/toolChoice' }),
    );
  });

  test('a tool that another provider runs is refused with an error loss, the others go', () => {
    const hosted = { kind: 'foreign', protocol: 'openai-responses', name: 'web', value: {} } as const;
    const { body, losses } = encode({ tools: [...(TOOLS ?? []), hosted] });
    expect(body['tools']).toHaveLength(2);
    expect(losses).toEqual([
      expect.objectContaining({ code: 'refused', path: '/tools/2', severity: 'error' }),
    ]);
  });

  test('a schema is written as it is, and not the object that was given', () => {
    const parameters = Object.freeze({ type: 'object', $defs: {}, oneOf: [{}], additionalProperties: false });
    const { body } = encode({ tools: [{ kind: 'function', name: 'a', parameters }] });
    expect((body['tools'] as JsonObject[])[0]?.['input_schema']).toEqual(parameters);
  });
});

describe('limits and thinking', () => {
  test('a limit is mandatory: the default is sent and is a loss', () => {
    const { value, losses } = anthropic.encodeRequest({ model: 'm', items: [USER] });
    expect(value.body['max_tokens']).toBe(ANTHROPIC_DEFAULT_MAX_TOKENS);
    expect(losses).toEqual([
      expect.objectContaining({ code: 'synthesised', path: '/limits/maxOutputTokens' }),
    ]);
  });

  test.each<[string, Partial<ModelCall>, JsonObject | undefined, readonly string[]]>([
    [
      'a budget within the limit',
      { reasoning: { budgetTokens: 2000 } },
      { type: 'enabled', budget_tokens: 2000 },
      [],
    ],
    [
      'a budget below the least',
      { reasoning: { budgetTokens: 10 } },
      { type: 'enabled', budget_tokens: 1024 },
      ['approximated /reasoning/budgetTokens'],
    ],
    [
      'a budget above the limit',
      { reasoning: { budgetTokens: 9000 } },
      { type: 'enabled', budget_tokens: 3999 },
      ['approximated /reasoning/budgetTokens'],
    ],
    [
      'a limit without room',
      { reasoning: { budgetTokens: 2000 }, limits: { maxOutputTokens: 1000 } },
      undefined,
      ['dropped /reasoning/budgetTokens'],
    ],
    [
      'a forced call',
      { reasoning: { budgetTokens: 2000 }, tools: TOOLS, toolChoice: { mode: 'any' } },
      undefined,
      ['dropped /reasoning/budgetTokens'],
    ],
    ['no thinking', { reasoning: { effort: 'none' } }, { type: 'disabled' }, []],
  ])('%s', (_, part, thinking, expected) => {
    const { body, paths } = encode(part);
    expect(body['thinking']).toEqual(thinking);
    expect(paths).toEqual(expected);
  });

  test.each<[string, Partial<ModelCall>, JsonObject]>([
    ['a budget', { reasoning: { budgetTokens: 2000 } }, {}],
    [
      'a mode of the client',
      { extensions: { protocol: 'anthropic', members: { thinking: { type: 'adaptive' } } } },
      {},
    ],
    ['no thinking', { reasoning: { effort: 'none' } }, { temperature: 0.2, top_k: 5 }],
    [
      'a budget that has no room',
      { reasoning: { budgetTokens: 2000 }, limits: { maxOutputTokens: 9 } },
      { temperature: 0.2, top_k: 5 },
    ],
  ])(
    'settings of the drawing beside %s, which the API refuses where the model is to think',
    (_, part, kept) => {
      const { body } = encode({ sampling: { temperature: 0.2, topK: 5 }, ...part });
      const { temperature, top_k } = body as JsonObject;
      expect(JSON.parse(JSON.stringify({ temperature, top_k }))).toEqual(kept);
    },
  );

  test.each<[string, string, Partial<ModelCall>, JsonObject, readonly string[]]>([
    [
      'a budget',
      'claude-opus-4-8',
      { reasoning: { budgetTokens: 2000, summary: 'summarized' } },
      { thinking: { type: 'adaptive', display: 'summarized' } },
      ['approximated /reasoning/budgetTokens'],
    ],
    [
      'a budget with a forced call',
      'claude-sonnet-5',
      { reasoning: { budgetTokens: 2000 }, toolChoice: { mode: 'any' } },
      {},
      ['dropped /reasoning/budgetTokens'],
    ],
    [
      'no thinking',
      'claude-opus-5',
      { reasoning: { effort: 'none' } },
      { thinking: { type: 'disabled' } },
      [],
    ],
    [
      'no thinking, where there always is some',
      'claude-fable-5',
      { reasoning: { effort: 'none' } },
      { output_config: { effort: 'low' } },
      ['approximated /reasoning/effort'],
    ],
    [
      'a mode of the client',
      'claude-fable-5',
      {
        reasoning: { effort: 'none' },
        extensions: { protocol: 'anthropic', members: { thinking: { type: 'adaptive' } } },
      },
      { thinking: { type: 'adaptive' } },
      [],
    ],
    [
      'settings of the drawing',
      'claude-opus-4-7',
      { sampling: { temperature: 0.2, topP: 0.9, topK: 5, stop: ['x'] } },
      { stop_sequences: ['x'] },
      ['dropped /sampling/temperature', 'dropped /sampling/topP', 'dropped /sampling/topK'],
    ],
  ])('%s for a model that steers itself (%s)', (_, model, part, expected, lost) => {
    const { body, paths } = encode({ model, ...part });
    const { thinking, output_config, temperature, top_p, top_k, stop_sequences } = body as JsonObject;
    const members = { thinking, output_config, temperature, top_p, top_k, stop_sequences };
    expect(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))).toEqual(
      expected,
    );
    expect(paths.filter((path) => !path.endsWith('/toolChoice'))).toEqual(lost);
  });

  test('the settings that a model has anyway are no loss where it takes none', () => {
    const { body, losses } = encode({ model: 'claude-opus-4-8', sampling: { temperature: 1, topP: 1 } });
    expect(['temperature' in body, 'top_p' in body]).toEqual([false, false]);
    expect(losses.map(({ severity }) => severity)).toEqual(['info', 'info']);
  });

  test.each([
    ['claude-sonnet-4-5', 'high', undefined, ['dropped /reasoning/effort']],
    ['claude-opus-4-5', 'max', 'high', ['approximated /reasoning/effort']],
    ['claude-opus-4-6', 'xhigh', 'max', ['approximated /reasoning/effort']],
    ['claude-opus-4-7', 'xhigh', 'xhigh', []],
  ])('%s is asked for an effort of %s with %j', (model, effort, expected, lost) => {
    const { body, paths } = encode({ model, reasoning: { effort } });
    expect([body['output_config'], paths]).toEqual([
      expected === undefined ? undefined : { effort: expected },
      lost,
    ]);
  });

  test('an effort has a member of its own', () => {
    expect(encode({ reasoning: { effort: 'high' } }).body['output_config']).toEqual({ effort: 'high' });
    expect(encode({ reasoning: { effort: 'minimal' } }).paths).toEqual(['approximated /reasoning/effort']);
    expect(encode({ reasoning: { effort: 'extreme' } }).paths).toEqual(['dropped /reasoning/effort']);
  });

  test('a thought goes back byte for byte to this provider, and to no other', () => {
    const own: Item = {
      kind: 'reasoning',
      text: ' think\n',
      opaque: { protocol: 'anthropic', form: 'signature', value: 'a+/=' },
    };
    const redacted: Item = {
      kind: 'reasoning',
      opaque: { protocol: 'anthropic', form: 'redacted', value: 'b' },
    };
    const { body, losses } = encode({ items: [USER, own, redacted, call('1'), result('1')] });
    expect((body['messages'] as JsonObject[])[1]?.['content']).toMatchObject([
      { type: 'thinking', thinking: ' think\n', signature: 'a+/=' },
      { type: 'redacted_thinking', data: 'b' },
      { type: 'tool_use' },
    ]);
    expect(losses).toEqual([]);
    for (const protocol of ['gemini', 'openai-responses'] as const) {
      const foreign: Item = {
        kind: 'reasoning',
        text: 'x',
        opaque: { protocol, form: 'encrypted', value: 'secret' },
      };
      const other = encode({ items: [USER, foreign, call('1'), result('1')] });
      expect(JSON.stringify(other.body)).not.toContain('secret');
      expect(other.paths).toEqual(['dropped /items/1']);
    }
  });
});

describe('cache marks of a client of Chat Completions', () => {
  const mark = { cache_control: { type: 'ephemeral' } };

  test('stay on instructions, parts, tools and results', () => {
    const call = openaiChat.decodeRequest({
      model: 'm',
      messages: [
        { role: 'system', content: [{ type: 'text', text: 's', ...mark }] },
        { role: 'user', content: [{ type: 'text', text: 'u', ...mark, other: 1 }] },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'a', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'r', ...mark },
      ],
      tools: [{ type: 'function', function: { name: 'a', parameters: { type: 'object' } }, ...mark }],
    }).value;
    const { body, paths } = encode(call);
    expect(body['system']).toEqual([{ type: 'text', text: 's', ...mark }]);
    expect(body['messages']).toMatchObject([
      { content: [{ type: 'text', text: 'u', ...mark }] },
      { role: 'assistant' },
      { content: [{ type: 'tool_result', ...mark }] },
    ]);
    expect(body['tools']).toEqual([{ name: 'a', input_schema: { type: 'object' }, ...mark }]);
    expect(paths).toContain('relocated /instructions/0/extensions/members/cache_control');
    expect(paths).toContain('dropped /items/0/parts/0/extensions/members/other');
    expect(JSON.stringify(body)).not.toContain('other');
  });

  test('of Anthropic go to no server of Chat Completions', () => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'u', ...mark }] }];
    const call = anthropic.decodeRequest({ model: 'm', max_tokens: 9, messages }).value;
    expect(JSON.stringify(openaiChat.encodeRequest(call).value.body)).not.toContain('cache_control');
  });
});

describe('everything else', () => {
  test.each<[Partial<ModelCall>, readonly string[]]>([
    [{ sampling: { seed: 1 } }, ['dropped /sampling/seed']],
    [
      { sampling: { frequencyPenalty: 1, presencePenalty: 1 } },
      ['dropped /sampling/frequencyPenalty', 'dropped /sampling/presencePenalty'],
    ],
    [{ sampling: { temperature: 1.5 } }, ['approximated /sampling/temperature']],
    [{ sampling: { temperature: 0.2, topP: 0.9 } }, ['dropped /sampling/topP']],
    [{ sampling: { candidates: 2 } }, ['refused /sampling/candidates']],
    [{ sampling: { stop: ['a', ' '] } }, ['dropped /sampling/stop']],
    [{ previousResponseId: 'resp_1' }, ['refused /previousResponseId']],
    [{ responseFormat: { kind: 'json-object' } }, ['dropped /responseFormat']],
    [{ instructions: [{ role: 'developer', text: 'x' }] }, ['approximated /instructions/0/role']],
    [
      { extensions: { protocol: 'openai-chat', members: { logit_bias: {} } } },
      ['dropped /extensions/members/logit_bias'],
    ],
  ])('%j is a loss: %j', (part, expected) => {
    expect(encode(part).paths).toEqual(expected);
  });

  test('a temperature goes alone, because the API refuses it together with the other setting', () => {
    const { body, losses } = encode({ sampling: { temperature: 0.2, topP: 1 } });
    expect([body['temperature'], 'top_p' in body]).toEqual([0.2, false]);
    expect(losses).toContainEqual(expect.objectContaining({ path: '/sampling/topP', severity: 'info' }));
    expect(encode({ sampling: { topP: 0.9, temperature: null } }).body['top_p']).toBe(0.9);
  });

  test('each instruction is a block of its own, with its cache marker', () => {
    const { body } = encode({
      instructions: [
        { role: 'system', text: 'one' },
        {
          role: 'system',
          text: 'two',
          extensions: { protocol: 'anthropic', members: { cache_control: { type: 'ephemeral' } } },
        },
      ],
    });
    expect(body['system']).toEqual([
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two', cache_control: { type: 'ephemeral' } },
    ]);
  });
});
