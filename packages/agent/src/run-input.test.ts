import { createGate } from '@toolgate/core';
import type { Item } from '@toolgate/model';
import { createScriptedModel } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { createAgent } from './create-agent.ts';
import { createMemoryEngine } from './durable/memory-engine.ts';
import { createDurableAgent } from './durable-agent/create-durable-agent.ts';

const part = (value: unknown) => [
  { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'a' }, value] },
];
const picture = (source: unknown) => part({ kind: 'image', source });
const bytes = new Uint8Array([137, 80, 78, 71]);

const WRONG: readonly (readonly [string, unknown, string])[] = [
  ['a message of another library', [{ role: 'user', content: 'hi' }], '/0/kind: it is message, '],
  ['no object', ['hi'], '/0: it is an object'],
  ['a role that nobody has', [{ kind: 'message', role: 'tool', parts: [] }], '/0/role: '],
  ['a text for parts', [{ kind: 'message', role: 'user', parts: 'hi' }], '/0/parts: it is a list'],
  ['a text for a part', part('hi'), '/0/parts/1: a part is an object'],
  ['a text part without text', part({ kind: 'text' }), '/0/parts/1/text: it is a text'],
  ['a number for a text', part({ kind: 'text', text: 5 }), '/0/parts/1/text: it is a text'],
  [
    'a part of another library',
    part({ kind: 'image_url', url: 'https://a.test/b.png' }),
    '/0/parts/1/kind: it is text,',
  ],
  [
    'a picture beside its source',
    part({ kind: 'image', data: 'AAAA' }),
    '/0/parts/1/source: it is an object',
  ],
  [
    'a picture from elsewhere',
    picture({ kind: 'path', path: '/a.png' }),
    '/0/parts/1/source/kind: it is base64,',
  ],
  [
    'the bytes of a picture',
    picture({ kind: 'base64', mediaType: 'image/png', data: bytes }),
    '/0/parts/1/source/data: it is base64 text',
  ],
  [
    'a picture of no type',
    picture({ kind: 'base64', data: 'AAAA' }),
    '/0/parts/1/source/mediaType: it is a text',
  ],
  [
    'an address that is no text',
    picture({ kind: 'url', url: { href: 'https://a.test' } }),
    '/0/parts/1/source/url: it is a text',
  ],
  ['a foreign part of nobody', part({ kind: 'foreign', value: 1 }), '/0/parts/1: it names its protocol'],
  [
    'arguments that were read',
    [{ kind: 'tool-call', callId: 'c', name: 'add', arguments: { a: 1 } }],
    '/0/arguments: it is a text',
  ],
  ['a result of no call', [{ kind: 'tool-result', parts: [] }], '/0/callId: it is a text'],
  [
    'a value for a part of a result',
    [{ kind: 'tool-result', callId: 'c', parts: [{ kind: 'json', value: 3 }] }],
    '/0/parts/0/kind: it is text,',
  ],
  ['a foreign item of nobody', [{ kind: 'foreign', role: 'user', value: 1 }], '/0/protocol: it is a text'],
  ['a foreign item of nothing', [{ kind: 'foreign', role: 'user', protocol: 'gemini' }], '/0/value: '],
];

describe('a conversation that no provider could be sent is refused before the run, with the place in it', () => {
  const model = () => createScriptedModel({ turns: [{ text: 'Hello.' }] });
  const gate = createGate({ tools: [] });

  test.each(WRONG)('%s', async (_what, input, place) => {
    const asked = model();
    const refusal = {
      code: 'agent/input-invalid',
      message: expect.stringContaining(`there is no item at ${place}`),
    };
    await expect(createAgent({ model: asked, gate }).run(input as readonly Item[])).rejects.toMatchObject(
      refusal,
    );
    const durable = createDurableAgent({ model: asked, gate }, { engine: createMemoryEngine });
    await expect(durable.start('r', input as readonly Item[])).rejects.toMatchObject(refusal);
    await durable.close();
    expect(asked.requests).toEqual([]);
  });

  test('and every form that an item and a part have is taken', async () => {
    const media = [
      { kind: 'base64', mediaType: 'image/png', data: 'AAAA' },
      { kind: 'url', url: 'https://a.test/b.png' },
      { kind: 'file-id', protocol: 'gemini', id: 'f' },
      { kind: 'text', mediaType: 'text/plain', text: '' },
    ] as const;
    const input: readonly Item[] = [
      { kind: 'message', role: 'developer', parts: [{ kind: 'text', text: '' }] },
      {
        kind: 'message',
        role: 'user',
        parts: [
          ...media.map((source) => ({ kind: 'file', source }) as const),
          { kind: 'foreign', protocol: 'gemini', value: null },
        ],
      },
      { kind: 'reasoning', text: 'hm' },
      { kind: 'tool-call', callId: 'c', name: 'add', arguments: '' },
      { kind: 'tool-result', callId: 'c', parts: [] },
      { kind: 'message', role: 'assistant', parts: [{ kind: 'refusal', text: 'no' }] },
      { kind: 'foreign', role: 'assistant', protocol: 'ai-sdk', value: null },
    ];
    const asked = model();
    await createAgent({ model: asked, gate }).run(input);
    expect(asked.requests[0]?.items).toEqual(input);
  });
});
