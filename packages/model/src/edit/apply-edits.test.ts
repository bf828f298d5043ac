import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GROWTH, growth } from '../../../../test/support/growth.ts';
import type { FunctionTool } from '../call/model-call.ts';
import { PROTOCOLS, type Protocol } from '../call/protocol.ts';
import { codecOf } from '../codec/codecs.ts';
import { applyEdits, editBytes } from './apply-edits.ts';
import type { Edit } from './edit.ts';

const tool: FunctionTool = {
  kind: 'function',
  name: 'finish',
  description: 'Ends the task.',
  parameters: { type: 'object', properties: { result: { type: 'string' } }, required: ['result'] },
};
const append: Edit = { kind: 'append-tool', tool };
const instruct: Edit = { kind: 'prepend-instruction', role: 'system', text: 'Say "done"\nwhen done.' };
const keep = (...names: string[]): Edit => ({ kind: 'filter-tools', keep: names, foreign: 'keep' });
const keepOnly = (...names: string[]): Edit => ({ kind: 'filter-tools', keep: names, foreign: 'remove' });

const impossible = expect.objectContaining({ code: 'model/edit-impossible' });

test.each(PROTOCOLS)(
  'a tool that can change is written as it is now, one that cannot as it was: %s',
  (protocol) => {
    const text = '{"messages":[],"input":[],"contents":[]}';
    const own = { kind: 'function' as const, name: 'a', parameters: { type: 'object', title: 'one' } };
    const edits = [{ kind: 'append-tool' as const, tool: own }];
    expect(applyEdits(protocol, text, edits)).toContain('"one"');
    own.parameters.title = 'two';
    expect(applyEdits(protocol, text, edits)).toContain('"two"');
    const fixed: FunctionTool = Object.freeze({ ...own, parameters: Object.freeze({ ...own.parameters }) });
    const again = [0, 1].map(() => applyEdits(protocol, text, [{ kind: 'append-tool', tool: fixed }]));
    expect(again[0]).toBe(again[1]);
    expect(again[0]).toBe(applyEdits(protocol, text, edits));
  },
);

const LISTED: Readonly<Record<Protocol, string>> = {
  'openai-chat': '{"tools":[1],"messages":[]}',
  'openai-responses': '{"tools":[ ],"instructions":"b"}',
  anthropic: '{"tools":[{"name":"b"} ],"system":[{"type":"text","text":"b"}]}',
  gemini: '{"tools":[{"functionDeclarations":[{"name":"b"}]}],"systemInstruction":{"parts":[]}}',
};

describe.each(PROTOCOLS)('additions to %s', (protocol) => {
  test('that can change are written as they are now', () => {
    const own = { kind: 'prepend-instruction' as const, role: 'system' as const, text: 'one' };
    expect(applyEdits(protocol, LISTED[protocol], [own])).toContain('one');
    own.text = 'two';
    expect(applyEdits(protocol, LISTED[protocol], [own])).toContain('two');
  });

  test.each([['ASCII'], ['Łü😀']])(
    'that cannot change are the same in texts and bytes, each time: %s',
    (word) => {
      const fixed: FunctionTool = Object.freeze({
        ...tool,
        description: word,
        parameters: Object.freeze({ type: 'object' }),
      });
      const edits: readonly Edit[] = [
        Object.freeze({ ...instruct, text: word }),
        Object.freeze({ kind: 'append-tool', tool: fixed }),
        { kind: 'append-tool', tool: { ...fixed, name: 'b' } },
        { kind: 'set-model', model: word },
      ];
      const loose = edits.map(
        (edit): Edit => (edit.kind === 'append-tool' ? { ...edit, tool: { ...edit.tool } } : { ...edit }),
      );
      const expected = applyEdits(protocol, LISTED[protocol], loose);
      expect(expected.split(JSON.stringify(word).slice(1, -1)).length).toBe(protocol === 'gemini' ? 4 : 5);
      for (const _ of [1, 2]) {
        expect(applyEdits(protocol, LISTED[protocol], edits)).toBe(expected);
        expect(Buffer.from(editBytes(protocol, Buffer.from(LISTED[protocol]), edits)).toString()).toBe(
          expected,
        );
      }
    },
  );
});

describe('exact texts', () => {
  const CASES: readonly [string, Protocol, string, readonly Edit[], string][] = [
    ['nothing changes without edits', 'openai-chat', ' { "a" : 1.0 }\n', [], ' { "a" : 1.0 }\n'],
    [
      'a model is replaced in place',
      'anthropic',
      '{"x":1e2,"model" : "a","y":[ ]}',
      [{ kind: 'set-model', model: 'b"c' }],
      '{"x":1e2,"model" : "b\\"c","y":[ ]}',
    ],
    [
      'a model is added',
      'openai-chat',
      '{ "x":1.0 }',
      [{ kind: 'set-model', model: 'b' }],
      '{ "x":1.0,"model":"b" }',
    ],
    [
      'a member is added to nothing',
      'openai-chat',
      '{ }',
      [{ kind: 'set-stream', stream: true }],
      '{ "stream":true}',
    ],
    [
      'an escaped name is found',
      'openai-chat',
      '{"\\u006dodel":"a"}',
      [{ kind: 'set-model', model: 'b' }],
      '{"\\u006dodel":"b"}',
    ],
    [
      'usage is asked for',
      'openai-chat',
      '{"stream_options":{ "x":0 }}',
      [{ kind: 'request-usage' }],
      '{"stream_options":{ "x":0,"include_usage":true }}',
    ],
    [
      'usage is asked for where the client said null',
      'openai-chat',
      '{"stream_options": null}',
      [{ kind: 'request-usage' }],
      '{"stream_options": {"include_usage":true}}',
    ],
    ['others always send usage', 'anthropic', '{"a":1}', [{ kind: 'request-usage' }], '{"a":1}'],
    [
      'Gemini has its model and its stream in the path',
      'gemini',
      '{"a":1}',
      [
        { kind: 'set-model', model: 'm' },
        { kind: 'set-stream', stream: true },
      ],
      '{"a":1}',
    ],
    [
      'a limit gets the other name where it stands',
      'openai-chat',
      '{"x":1.0, "max\\u005ftokens" : 1e2 ,"y":2}',
      [{ kind: 'name-limit', name: 'max_completion_tokens' }],
      '{"x":1.0, "max_completion_tokens" : 1e2 ,"y":2}',
    ],
    [
      'a limit that has the name stays, and so does a body without one',
      'openai-chat',
      '{ "max_tokens":7 }',
      [{ kind: 'name-limit', name: 'max_tokens' }],
      '{ "max_tokens":7 }',
    ],
    ['no limit is made up', 'openai-chat', '{ }', [{ kind: 'name-limit', name: 'max_tokens' }], '{ }'],
    [
      'of two limits the newer one counts, under the older name',
      'openai-chat',
      '{"max_tokens" : 5,"x":1.0,"max_completion_tokens":7}',
      [{ kind: 'name-limit', name: 'max_tokens' }],
      '{"max_tokens" : 7,"x":1.0}',
    ],
    [
      'of two limits the newer one counts, under its own name',
      'openai-chat',
      '{"max_tokens":5,"max_completion_tokens":7,"x":1.0}',
      [{ kind: 'name-limit', name: 'max_completion_tokens' }],
      '{"max_completion_tokens":7,"x":1.0}',
    ],
    [
      'of two limits the one that is null says nothing',
      'openai-chat',
      '{"max_completion_tokens":null,"max_tokens":5}',
      [{ kind: 'name-limit', name: 'max_completion_tokens' }],
      '{"max_completion_tokens":5}',
    ],
    [
      'of two limits the one that is null goes',
      'openai-chat',
      '{"max_completion_tokens":null,"max_tokens":5}',
      [{ kind: 'name-limit', name: 'max_tokens' }],
      '{"max_tokens":5}',
    ],
    [
      'a limit is named once more, and other members beside it',
      'openai-chat',
      '{"model":"m","max_tokens":5}',
      [
        { kind: 'name-limit', name: 'max_completion_tokens' },
        { kind: 'set-model', model: 'n' },
        { kind: 'name-limit', name: 'max_tokens' },
        { kind: 'set-stream', stream: true },
        { kind: 'name-limit', name: 'max_completion_tokens' },
      ],
      '{"model":"n","max_completion_tokens":5,"stream":true}',
    ],
    [
      'a limit of another wire has one name',
      'anthropic',
      '{"max_tokens":5}',
      [{ kind: 'name-limit', name: 'max_completion_tokens' }],
      '{"max_tokens":5}',
    ],
    [
      'tools are filtered with one comma each',
      'openai-responses',
      '{"tools":[ {"type":"function","name":"a"} , {"type":"function","name":"b"}, {"type":"web_search"},{"type":"function","name":"c"} ]}',
      [keep('b')],
      '{"tools":[ {"type":"function","name":"b"}, {"type":"web_search"} ]}',
    ],
    [
      'the last tool takes the choice with it',
      'openai-chat',
      '{"tools":[{"type":"function","function":{"name":"a"}}],"tool_choice":"auto","x":1.0,"parallel_tool_calls":false}',
      [keep()],
      '{"x":1.0}',
    ],
    [
      'legacy functions are filtered, too',
      'openai-chat',
      '{"functions":[{"name":"a"},{"name":"b"}],"function_call":"auto"}',
      [keep('b')],
      '{"functions":[{"name":"b"}],"function_call":"auto"}',
    ],
    [
      'a choice among some tools is narrowed',
      'openai-chat',
      '{"tools":[{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"b"}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"b"}}]}}}',
      [keep('b')],
      '{"tools":[{"type":"function","function":{"name":"b"}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"b"}}]}}}',
    ],
    [
      'Gemini declarations are filtered within their entries',
      'gemini',
      '{"tools":[{"functionDeclarations":[{"name":"a"},{"name":"b"}]},{"googleSearch":{}},{"function_declarations":[{"name":"c"}]}]}',
      [keep('b')],
      '{"tools":[{"functionDeclarations":[{"name":"b"}]},{"googleSearch":{}}]}',
    ],
    [
      'Gemini loses its calling configuration with the last function',
      'gemini',
      '{"tools":[{"functionDeclarations":[{"name":"a"}]}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO"},"x":1}}',
      [keepOnly()],
      '{"toolConfig":{"x":1}}',
    ],
    [
      'a text of Anthropic becomes the second block',
      'anthropic',
      '{"system":"caf\\u00e9"}',
      [{ kind: 'prepend-instruction', role: 'system', text: 'A' }],
      '{"system":[{"type":"text","text":"A"},{"type":"text","text":"caf\\u00e9"}]}',
    ],
    [
      'blocks of Anthropic keep their cache marks',
      'anthropic',
      '{"system":[ {"type":"text","text":"x","cache_control":{"type":"ephemeral"}} ]}',
      [{ kind: 'prepend-instruction', role: 'system', text: 'A' }],
      '{"system":[ {"type":"text","text":"A"},{"type":"text","text":"x","cache_control":{"type":"ephemeral"}} ]}',
    ],
    [
      'the text of Responses is preceded',
      'openai-responses',
      '{"instructions":"caf\\u00e9"}',
      [{ kind: 'prepend-instruction', role: 'system', text: 'A' }],
      '{"instructions":"A\\n\\ncaf\\u00e9"}',
    ],
    [
      'Gemini instructions in snake case are found',
      'gemini',
      '{"system_instruction":{"role":"user","parts":[{"text":"x"}]}}',
      [{ kind: 'prepend-instruction', role: 'system', text: 'A' }],
      '{"system_instruction":{"role":"user","parts":[{"text":"A"},{"text":"x"}]}}',
    ],
    [
      'a text of Anthropic gets two in front, and what stands behind it is found',
      'anthropic',
      '{"system":"é","model":"a"}',
      [
        { kind: 'prepend-instruction', role: 'system', text: 'A' },
        { kind: 'prepend-instruction', role: 'system', text: 'Ł' },
        { kind: 'set-model', model: 'bc' },
        { kind: 'set-stream', stream: true },
        { kind: 'set-model', model: 'd' },
      ],
      '{"system":[{"type":"text","text":"Ł"},{"type":"text","text":"A"},{"type":"text","text":"é"}],"model":"d","stream":true}',
    ],
    [
      'an empty part of Gemini instructions without its list gets two in front',
      'gemini',
      '{"systemInstruction":{"parts":{}},"tools":[]}',
      [
        { kind: 'prepend-instruction', role: 'system', text: 'A' },
        { kind: 'prepend-instruction', role: 'system', text: 'B' },
      ],
      '{"systemInstruction":{"parts":[{"text":"B"},{"text":"A"},{}]},"tools":[]}',
    ],
    [
      'a part of Gemini instructions without its list gets one',
      'gemini',
      '{"system_instruction":{"parts":{"text":"caf\\u00e9"}}}',
      [{ kind: 'prepend-instruction', role: 'system', text: 'A' }],
      '{"system_instruction":{"parts":[{"text":"A"},{"text":"caf\\u00e9"}]}}',
    ],
    [
      'messages of Chat get one in front',
      'openai-chat',
      '{"messages":[\n{"role":"user","content":"x"}]}',
      [{ kind: 'prepend-instruction', role: 'developer', text: 'A' }],
      '{"messages":[\n{"role":"developer","content":"A"},{"role":"user","content":"x"}]}',
    ],
  ];

  test.each(CASES)('%s', (_name, protocol, original, edits, expected) => {
    expect(applyEdits(protocol, original, edits)).toBe(expected);
    const bytes = new TextEncoder().encode(original);
    expect(applyEdits(protocol, bytes, edits)).toBe(expected);
    expect(new TextDecoder().decode(editBytes(protocol, bytes, edits))).toBe(expected);
  });
});

describe('what cannot be edited is refused', () => {
  const named =
    '{"tools":[{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"b"}}],"tool_choice":';
  const CASES: readonly [string, Protocol, string, Edit][] = [
    ['a body that is no object', 'openai-chat', '[]', { kind: 'set-model', model: 'b' }],
    [
      'a member that comes twice',
      'openai-chat',
      '{"model":"a","\\u006dodel":"b"}',
      { kind: 'set-model', model: 'c' },
    ],
    ['a string without an end', 'openai-chat', '{"model":"a\\"', { kind: 'set-model', model: 'c' }],
    ['a value without an end', 'openai-chat', '{"x":[1,{"a":"]"}', { kind: 'set-model', model: 'c' }],
    ['a missing value', 'openai-chat', '{"x":,"y":1}', { kind: 'set-model', model: 'c' }],
    ['a trailing comma', 'openai-chat', '{"x":1,}', { kind: 'set-model', model: 'c' }],
    ['an empty text', 'openai-chat', '', { kind: 'set-model', model: 'c' }],
    ['a byte order mark', 'openai-chat', '\uFEFF{}', { kind: 'set-model', model: 'c' }],
    ['no messages', 'openai-chat', '{}', instruct],
    ['tools that are no list', 'openai-chat', '{"tools":{}}', append],
    ['tools beside legacy functions', 'openai-chat', '{"functions":[{"name":"a"}]}', append],
    [
      'a named tool that goes',
      'openai-chat',
      `${named}{"type":"function","function":{"name":"a"}}}`,
      keep('b'),
    ],
    ['a demanded call without tools', 'openai-chat', `${named}"required"}`, keep()],
    [
      'a custom tool that goes',
      'openai-chat',
      `${named}{"type":"custom","custom":{"name":"x"}}}`,
      keepOnly('a'),
    ],
    [
      'a legacy choice that goes',
      'openai-chat',
      '{"functions":[{"name":"a"},{"name":"b"}],"function_call":{"name":"a"}}',
      keep('b'),
    ],
    [
      'a tool that Anthropic has to call',
      'anthropic',
      '{"tools":[{"name":"a"},{"name":"b"}],"tool_choice":{"type":"tool","name":"a"}}',
      keep('b'),
    ],
    [
      'any tool that Anthropic has to call',
      'anthropic',
      '{"tools":[{"name":"a"}],"tool_choice":{"type":"any"}}',
      keep(),
    ],
    [
      'only allowed tools that go',
      'openai-responses',
      '{"tools":[{"type":"function","name":"a"},{"type":"function","name":"b"}],"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"function","name":"a"}]}}',
      keep('b'),
    ],
    [
      'a function that Gemini has to call',
      'gemini',
      '{"tools":[{"functionDeclarations":[{"name":"a"},{"name":"b"}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["a"]}}}',
      keep('b'),
    ],
  ];

  test.each(CASES)('%s', (_name, protocol, original, edit) => {
    expect(() => applyEdits(protocol, original, [edit])).toThrow(impossible);
  });

  test('bytes that are not UTF-8', () => {
    expect(() => applyEdits('openai-chat', Uint8Array.of(0x7b, 0xff, 0x7d), [])).toThrow(impossible);
  });
});

const BODIES: Readonly<Record<Protocol, string>> = {
  'openai-chat':
    '{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"a","parameters":{"type":"object"}}}]}',
  'openai-responses':
    '{"model":"m","input":"hi","tools":[{"type":"function","name":"a","parameters":{"type":"object"},"strict":null}]}',
  anthropic:
    '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],"tools":[{"name":"a","input_schema":{"type":"object"}}]}',
  gemini:
    '{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"tools":[{"functionDeclarations":[{"name":"a","parametersJsonSchema":{"type":"object"}}]}]}',
};

describe.each(PROTOCOLS)('%s', (protocol) => {
  const decode = (text: string) => codecOf(protocol).decodeRequest(JSON.parse(text), { model: 'm' }).value;

  test('an added tool and instruction are what its own codec reads', () => {
    const edited = decode(applyEdits(protocol, BODIES[protocol], [append, instruct]));
    expect(edited.tools?.map(({ name }) => name)).toEqual(['a', 'finish']);
    expect(edited.tools?.[1]).toMatchObject({ description: tool.description, parameters: tool.parameters });
    expect(edited.instructions?.[0]?.text).toBe('Say "done"\nwhen done.');
  });

  test('a removed tool is not read any more', () => {
    const edited = decode(applyEdits(protocol, BODIES[protocol], [append, keep('finish')]));
    expect(edited.tools?.map(({ name }) => name)).toEqual(['finish']);
    expect(decode(applyEdits(protocol, BODIES[protocol], [keep()])).tools ?? []).toEqual([]);
  });
});

describe('properties', () => {
  const space = fc.constantFrom('', ' ', '\n', '\t ', '\r\n');
  const scalar = fc.constantFrom(
    '1.0',
    '1e2',
    '-0',
    '12345678901234567890',
    'true',
    'null',
    '"\\u0061"',
    '"]}"',
    '"\\\\"',
    '"{\\"\\\\\\""',
    '"你😀"',
  );
  const joined = (items: readonly string[], open: string, close: string, gap: string) =>
    `${open}${gap}${items.join(`${gap},${gap}`)}${gap}${close}`;
  const value = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc
        .tuple(fc.array(tie('value'), { maxLength: 3 }), space)
        .map(([items, gap]) => joined(items, '[', ']', gap)),
      fc.tuple(fc.array(tie('value'), { maxLength: 3 }), space).map(([items, gap]) =>
        joined(
          items.map((item, at) => `"k${at}"${gap}:${gap}${item}`),
          '{',
          '}',
          gap,
        ),
      ),
    ),
  })).value;
  const members = fc
    .array(value, { maxLength: 5 })
    .map((values) => values.map((text, at) => [`"x${at}"`, text] as const));

  test('everything that is not edited keeps its spelling', () => {
    fc.assert(
      fc.property(members, space, fc.nat(5), (others, gap, at) => {
        const entries = others.map(([name, text]) => `${name}${gap}:${gap}${text}`);
        entries.splice(
          at,
          0,
          '"model":"m"',
          '"messages":[]',
          '"tools":[{"type":"function","function":{"name":"a"}}]',
        );
        const original = joined(entries, '{', '}', gap);
        const edited = applyEdits('openai-chat', original, [
          { kind: 'set-model', model: 'n' },
          append,
          instruct,
          keep('finish'),
        ]);
        for (const [name, text] of others) expect(edited).toContain(`${name}${gap}:${gap}${text}`);
        const expected = JSON.parse(original);
        const result = JSON.parse(edited);
        expect(Object.keys(result)).toEqual(Object.keys(expected));
        expect(result).toEqual({
          ...expected,
          model: 'n',
          messages: [{ role: 'system', content: expect.any(String) }],
          tools: [expect.anything()],
        });
      }),
    );
  });

  test('edits together are the same as one after the other', () => {
    const edit = fc.oneof(
      fc.constantFrom<Edit>(append, instruct, keep('a'), keep(), { kind: 'request-usage' }),
      fc.constantFrom('m', 'a longer name').map((model): Edit => ({ kind: 'set-model', model })),
      fc.boolean().map((stream): Edit => ({ kind: 'set-stream', stream })),
    );
    const body = fc.tuple(members, space, fc.constantFrom(...PROTOCOLS)).map(([others, gap, protocol]) => {
      const own = JSON.parse(BODIES[protocol]);
      const entries = Object.keys(own).map((name) => `${JSON.stringify(name)}:${JSON.stringify(own[name])}`);
      const rest = others.map(([name, text]) => `${name}${gap}:${text}`);
      return { protocol, original: joined([...rest, ...entries], '{', '}', gap) };
    });
    fc.assert(
      fc.property(body, fc.array(edit, { maxLength: 6 }), ({ protocol, original }, edits) => {
        const single = edits.reduce((text, one) => applyEdits(protocol, text, [one]), original);
        expect(applyEdits(protocol, original, edits)).toBe(single);
        expect(() => JSON.parse(single)).not.toThrow();
      }),
    );
  });

  test('removing what was added gives the original text back', () => {
    fc.assert(
      fc.property(members, space, fc.constantFrom(...PROTOCOLS), (others, gap, protocol) => {
        const own = JSON.parse(BODIES[protocol]);
        const entries = [
          ...Object.keys(own).map((name) => `${JSON.stringify(name)}:${JSON.stringify(own[name])}`),
          ...others.map(([name, text]) => `${name}${gap}:${text}`),
        ];
        const original = joined(entries, '{', '}', gap);
        expect(applyEdits(protocol, original, [append, keep('a')])).toBe(original);
      }),
    );
  });

  test('the work grows with the length of the body and no faster', () => {
    const body = (size: number) =>
      `{"messages":[${'{"a":"\\\\\\\\\\"","b":[[[]]]},'.repeat(size)}1],"model":"m"}`;
    const edit = (size: number) => applyEdits('openai-chat', body(size), [{ kind: 'set-model', model: 'n' }]);
    expect(growth(edit, 2_000)).toBeLessThan(GROWTH * 4);
  });
});

describe('bytes', () => {
  test('without a change are the very same ones', () => {
    const body = Buffer.from('{"model":"m","messages":[]}');
    expect(editBytes('openai-chat', body, [])).toBe(body);
    expect(editBytes('openai-chat', body, [keep('a')])).toBe(body);
  });

  test('that are no UTF-8 are not edited', () => {
    const body = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d);
    expect(() => editBytes('openai-chat', body, [keep('a')])).toThrow(impossible);
  });

  test('are never changed in place', () => {
    const text = '{"model":"ü","messages":[]}';
    const body = Buffer.from(text);
    const edited = editBytes('openai-chat', body, [{ kind: 'set-model', model: 'ß' }]);
    expect(Buffer.from(edited).toString()).toBe('{"model":"ß","messages":[]}');
    expect(body.toString()).toBe(text);
  });

  test.each([['Latin-1 ü'], ['Łü😀']])('that end in what takes several bytes stay whole: %s', (word) => {
    const text = `{"messages":[{"role":"user","content":"${'a'.repeat(5_000)}${word}"}],"model":"m"}`;
    const edits: readonly Edit[] = [instruct, append, { kind: 'set-model', model: word }];
    const edited = editBytes('openai-chat', Buffer.from(text), edits);
    expect(Buffer.from(edited).toString()).toBe(applyEdits('openai-chat', text, edits));
  });
});
