import { createFakeClock } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import {
  callDirectly,
  callerOf,
  leaving,
  mountScript,
  rejection,
  textOf,
} from '../../test-support/mount-fixture.ts';
import { plainTool, RpcFault, type ScriptedCall } from '../../test-support/scripted-server.ts';
import type { MountEvent } from './mount-event.ts';

const SECRET = 'postgres://app:pw@db.internal:5432/prod';
const tools = [plainTool('work')];

/** What one call of a server with this answer comes to. */
async function outcomeOf(answer: unknown, definition: object = {}) {
  const { mount } = await mountScript({ tools: [plainTool('work', definition)], call: () => answer });
  return (await callerOf(mount))('work');
}

/** A script that never answers, and a promise of the call that it got. */
function stalling() {
  let got: (call: ScriptedCall) => void = () => undefined;
  const arrived = new Promise<ScriptedCall>((resolve) => {
    got = resolve;
  });
  const call = (each: ScriptedCall) => {
    got(each);
    return new Promise(() => undefined);
  };
  return { arrived, call };
}

describe('a result', () => {
  const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };

  test.each<[string, unknown]>([
    ['a list', [1]],
    ['a text', 'x'],
    ['an error whose code is a text', new RpcFault('x' as never, 'y')],
  ])('that is %s fails the call at once, and the next one works', async (_what, answer) => {
    const answers = [answer, { content: [{ type: 'text', text: 'fine' }] }];
    const { mount } = await mountScript({ tools, call: () => answers.shift() });
    const call = await callerOf(mount);
    expect(await call('work')).toMatchObject({ kind: 'failed', reason: 'output_invalid' });
    expect(textOf(await call('work'))).toBe('fine');
  });

  test('comes in parts of its own kinds', async () => {
    const outcome = await outcomeOf({
      content: [
        { type: 'text', text: 'Hello' },
        image,
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        {
          type: 'resource_link',
          uri: 'file:///a.txt',
          name: 'a',
          description: 'A file',
          mimeType: 'text/plain',
        },
        { type: 'resource', resource: { uri: 'file:///b.txt', text: 'B' } },
        { type: 'resource', resource: { uri: 'file:///c.bin', blob: 'AAAA', mimeType: 'application/pdf' } },
      ],
    });
    expect(outcome.kind === 'completed' && outcome.output.parts).toEqual([
      { kind: 'text', text: 'Hello' },
      { kind: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
      { kind: 'audio', mediaType: 'audio/wav', data: 'AAAA' },
      {
        kind: 'resource-link',
        uri: 'file:///a.txt',
        name: 'a',
        description: 'A file',
        mediaType: 'text/plain',
      },
      { kind: 'file', mediaType: 'text/plain', uri: 'file:///b.txt', text: 'B' },
      { kind: 'file', mediaType: 'application/pdf', uri: 'file:///c.bin', data: 'AAAA' },
    ]);
  });

  test('never gives base64 as text', async () => {
    expect(textOf(await outcomeOf({ content: [image] }))).toBe('[image image/png]');
  });

  test.each([
    ['data without its padding', { ...image, data: 'AAA' }],
    ['a type that is none', { ...image, mimeType: 'picture' }],
  ])('with an image of %s keeps its other parts', async (_what, block) => {
    const outcome = await outcomeOf({ content: [{ type: 'text', text: 'kept' }, block] });
    expect(textOf(outcome)).toBe('kept\n[image left out: it is malformed or of an unknown kind]');
  });

  const kept = { type: 'text', text: 'kept' };

  test.each([
    ['null for what is not set', { content: [kept], isError: null, structuredContent: null }, 'kept'],
    ['null in a block', { content: [{ ...kept, annotations: null, _meta: null }] }, 'kept'],
    ['null in its own _meta', { content: [kept], _meta: { progressToken: null } }, 'kept'],
    ['null for no blocks', { content: null, structuredContent: { a: 1 } }, '{"a":1}'],
    ['annotations out of range', { content: [{ ...kept, annotations: { priority: 5 } }] }, 'kept'],
    [
      'a block of a later revision',
      { content: [{ type: 'video', data: 'AAAA' }, kept] },
      '[video left out: it is malformed or of an unknown kind]\nkept',
    ],
    [
      'an image without its type',
      { content: [kept, { type: 'image', data: 'AAAA' }] },
      'kept\n[image left out: it is malformed or of an unknown kind]',
    ],
    [
      'no block that can be used beside a structure',
      { content: [{ type: 'text' }], structuredContent: { a: 1 } },
      '[text left out: it is malformed or of an unknown kind]\n{"a":1}',
    ],
    ['a list as its structure', { content: [kept], structuredContent: [1, 2] }, 'kept\n[1,2]'],
    ['one value, as in the first revision', { toolResult: { a: 1 } }, '{"a":1}'],
    ['what it says beside no content', { sent: true, to: ['a'], _meta: {} }, '{"sent":true,"to":["a"]}'],
    ['nothing to say beside no content', { isError: null, _meta: { a: 1 } }, ''],
    ['what it says beside its content', { sent: true, content: [kept] }, 'kept'],
    ['one block that is in no list', { content: kept }, 'kept'],
    ['a text for its blocks', { content: 'kept' }, 'kept'],
    ['what the tool returned for its blocks', { content: { sent: true, to: 3 } }, '{"sent":true,"to":3}'],
    ['texts that are no blocks', { content: ['kept', kept] }, 'kept\nkept'],
    ['a number for its text', { content: [{ type: 'text', text: 3 }] }, '3'],
    ['a value for its text', { content: [{ type: 'text', text: { a: 1 } }] }, '{"a":1}'],
    ['a text without its kind', { content: [{ text: 'kept' }] }, 'kept'],
    ['its blocks in the value of the first revision', { toolResult: { content: [kept] } }, 'kept'],
    [
      'data without their kind',
      { content: [{ data: 'AAAA', mimeType: 'image/png' }, kept] },
      '[block left out: it is malformed or of an unknown kind]\nkept',
    ],
  ])('with %s keeps what can be used', async (_what, answer, text) => {
    const outcome = await outcomeOf(answer);
    expect([outcome.kind, textOf(outcome)]).toEqual(['completed', text]);
  });

  test.each([
    ['the head of an address', { ...image, data: `data:image/png;base64,${image.data}` }],
    ['the type in its head alone', { type: 'image', data: `data:image/png;base64,${image.data}` }],
    ['lines', { ...image, data: `${image.data.slice(0, 3)}\r\n${image.data.slice(3)}\n` }],
  ])('with an image that has %s keeps it', async (_what, block) => {
    const parts = [{ kind: 'image', mediaType: 'image/png', data: image.data }];
    expect(await outcomeOf({ content: [block] })).toMatchObject({ kind: 'completed', output: { parts } });
  });

  test.each([
    ['of a framework', { type: 'error', text: 'No such file.' }, '[error] No such file.'],
    ['of a strange name', { type: ']\n[', text: 'No such file.' }, 'No such file.'],
  ])('with a kind of text %s says what it says', async (_what, block, text) => {
    expect(textOf(await outcomeOf({ content: [block] }))).toBe(text);
  });

  test.each([
    ['of 2025-11-25', { task: { taskId: '7', status: 'working' }, content: [] }],
    ['of the extension', { resultType: 'task', taskId: '7', status: 'working' }],
  ])('that is a task %s is none: nobody knows how the call ends', async (_what, answer) => {
    const outcome = await outcomeOf(answer);
    expect([outcome.kind, outcome.reason]).toEqual(['unknown', 'interrupted']);
  });

  test('with null for its structure, of a tool with null for its schema, has none', async () => {
    const { mount } = await mountScript({
      tools: [plainTool('work', { outputSchema: null })],
      call: () => ({ content: [kept], structuredContent: null }),
    });
    const outcome = await (await callerOf(mount))('work');
    expect(outcome).toMatchObject({ kind: 'completed', output: { structured: undefined } });
  });

  test('over its budget is cut, and images count apart from text', async () => {
    const content = [{ type: 'text', text: 'x'.repeat(1_000_000) }, image];
    const { mount } = await mountScript(
      { tools, call: () => ({ content }) },
      { rules: [{ tool: 'work', resultBudget: { bytes: 2_000, overflow: 'truncate' } }] },
    );
    const outcome = await (await callerOf(mount))('work');
    expect(outcome.reason).toBe('completed_truncated');
    expect(textOf(outcome).length).toBeLessThan(2_100);
    expect(outcome.kind === 'completed' && outcome.output.parts.at(-1)?.kind).toBe('image');
  });

  test('with 100,000 blocks is bounded', async () => {
    const content = Array.from({ length: 100_000 }, () => ({ type: 'text', text: '' }));
    const outcome = await outcomeOf({ content });
    expect(outcome.kind === 'completed' && outcome.output.parts.length).toBeLessThanOrEqual(1_001);
  });

  test.each([
    ['no object', 'done'],
    ['a text block without a text', { content: [{ type: 'text', words: 'done' }] }],
    ['nothing in its list', { content: [null] }],
    ['data alone that say no kind', { content: { data: 'done' } }],
  ])('that has %s fails the call and says nothing of itself', async (_what, answer) => {
    const { mount } = await mountScript(
      { tools, call: () => answer },
      { rules: [{ tool: '*', timeoutMs: 300 }] },
    );
    const outcome = await (await callerOf(mount))('work');
    expect(['output_invalid', 'call_error']).toContain(outcome.reason);
    expect(leaving(outcome)).not.toContain('done');
  });

  test('that says only beside its content why it failed gives that', async () => {
    const outcome = await outcomeOf({ isError: true, error: 'No such city.' });
    expect([outcome.kind, textOf(outcome)]).toEqual(['failed', '{"error":"No such city."}']);
  });

  test('that says it is an error is a definite failure with the texts of the server, bounded', async () => {
    const content = [{ type: 'text', text: `No such city. ${'x'.repeat(100_000)}` }, image];
    const outcome = await outcomeOf({ content, isError: true });
    expect([outcome.kind, outcome.reason]).toEqual(['failed', 'tool_failure']);
    expect(textOf(outcome)).toMatch(/^No such city\. x+ \[cut\]$/);
    expect(textOf(outcome).length).toBeLessThan(17_000);
  });

  test.each([
    ['nothing else', [], '{"code":"RATE_LIMITED"}'],
    ['a text of its own', [kept], 'kept\n{"code":"RATE_LIMITED"}'],
    [
      'a text that says the same',
      [{ type: 'text', text: '{ "code": "RATE_LIMITED" }' }],
      '{ "code": "RATE_LIMITED" }',
    ],
  ])('that is an error with structure and %s says what it is', async (_what, content, text) => {
    const structuredContent = { code: 'RATE_LIMITED' };
    const outcome = await outcomeOf({ content, structuredContent, isError: true });
    expect([outcome.reason, textOf(outcome)]).toEqual(['tool_failure', text]);
  });

  test('that is an error with a huge structure is bounded', async () => {
    const structuredContent = { rows: 'x'.repeat(200_000) };
    const outcome = await outcomeOf({ content: [], structuredContent, isError: true });
    expect(textOf(outcome).length).toBeLessThan(17_000);
  });

  test.each([
    [
      'in what the tool returned',
      { content: { isError: true, status: 404 } },
      '{"isError":true,"status":404}',
    ],
    ['in the value of the first revision', { toolResult: { content: [kept], isError: true } }, 'kept'],
    [
      'around a value of the first revision that says it is none',
      { isError: true, toolResult: { content: [kept], isError: false } },
      'kept',
    ],
    [
      'and why in a resource',
      {
        isError: true,
        content: [
          { type: 'resource', resource: { uri: 'file:///log', mimeType: 'text/plain', text: 'disk full' } },
        ],
      },
      'disk full',
    ],
  ])('that says %s that it is an error is one', async (_what, answer, text) => {
    const outcome = await outcomeOf(answer);
    expect([outcome.kind, textOf(outcome)]).toEqual(['failed', text]);
  });

  test('that says it is an error and nothing else says so', async () => {
    expect(textOf(await outcomeOf({ content: [], isError: true }))).toBe(
      'The tool failed without saying why.',
    );
  });
});

describe('structured content', () => {
  const outputSchema = {
    type: 'object',
    properties: { temperature: { type: 'number' } },
    required: ['temperature'],
  };
  const definition = { outputSchema };
  const text = [{ type: 'text', text: '{"temperature":20}' }];

  test('that keeps the declared schema goes along', async () => {
    const outcome = await outcomeOf({ content: text, structuredContent: { temperature: 20 } }, definition);
    expect(outcome.kind === 'completed' && outcome.output.structured).toEqual({ temperature: 20 });
  });

  test('may be a list where the schema says so', async () => {
    const declared = { outputSchema: { type: 'array', items: { type: 'number' } } };
    const good = await outcomeOf({ content: [], structuredContent: [1, 2] }, declared);
    expect(good.kind === 'completed' && good.output.structured).toEqual([1, 2]);
    const bad = await outcomeOf({ content: [], structuredContent: ['a'] }, declared);
    expect(bad.reason).toBe('output_invalid');
  });

  test('that says more than the texts beside it is given to the model, too', async () => {
    const summary = [{ type: 'text', text: '2 projects.' }];
    const structuredContent = { projects: ['a', 'b'] };
    const outcome = await outcomeOf({ content: summary, structuredContent });
    expect(textOf(outcome)).toBe('2 projects.\n{"projects":["a","b"]}');
    expect(outcome).toMatchObject({ output: { structured: structuredContent } });
  });

  test.each([
    ['the same JSON', ['{ "b": 1.0, "a": [2] }'], { a: [2], b: 1 }],
    ['a text that is wrapped', ['No such city.'], { result: 'No such city.' }],
    ['a number that is wrapped', ['5'], { result: 5 }],
    ['a list item by item', ['{"a":1}', 'two'], { result: [{ a: 1 }, 'two'] }],
    ['lines of one text', ['one', 'two'], { content: 'one\ntwo' }],
  ])('that says %s is not said twice', async (_what, texts, structuredContent) => {
    const content = texts.map((each) => ({ type: 'text', text: each }));
    expect(textOf(await outcomeOf({ content, structuredContent }))).toBe(texts.join('\n'));
  });

  test('never brings the bytes of media as a text', async () => {
    const image = { type: 'image', data: 'iVBORw0KGgoAAAANSUhEUgAA', mimeType: 'image/png' };
    const outcome = await outcomeOf({ content: [image], structuredContent: { content: [image] } });
    expect(textOf(outcome)).toBe('[image image/png]');
    const shot = { picture: 'A'.repeat(4_000) };
    const saved = await outcomeOf({ content: [{ type: 'text', text: 'Saved.' }], structuredContent: shot });
    expect(textOf(saved)).toBe('Saved.');
    expect(saved).toMatchObject({ output: { structured: shot } });
  });

  test('without bytes is given to the model, too', async () => {
    const bytes = Buffer.from(Array.from({ length: 3_000 }, (_, at) => (at * 7) % 256)).toString('base64');
    const found = [{ type: 'text', text: 'Found.' }];
    const shown = async (content: unknown, structuredContent: unknown) =>
      textOf(await outcomeOf({ content, structuredContent }));
    expect(await shown(found, { names: ['ann', 'bob'], thumb: bytes })).toBe(
      'Found.\n{"names":["ann","bob"]}',
    );
    expect(await shown(found, { file: { name: 'a', url: `data:image/png;base64,${bytes}` } })).toBe(
      'Found.\n{"file":{"name":"a"}}',
    );
    expect(await shown(found, { pages: [bytes, bytes], __proto__: 1, count: 2 })).toBe('Found.\n{"count":2}');
    expect(await shown(found, { answer: '42', dna: 'ACGT'.repeat(300) })).toContain('ACGT');
    expect(await shown(found, { digits: '0123456789'.repeat(200) })).toContain('0123');
    const inLines = bytes.replace(/.{76}/g, '$&\n');
    expect(await shown(found, { name: 'a', mime: inLines })).toBe('Found.\n{"name":"a"}');
    const image = { type: 'image', data: 'iVBORw0K\nGgo=', mimeType: 'image/png' };
    expect(await shown([image, ...found], { ids: [1], image: 'iVBORw0K\nGgo=' })).toContain('\n{"ids":[1]}');
    const refused = { isError: true, structuredContent: { code: 7, screenshot: bytes } };
    expect(textOf(await outcomeOf(refused))).toBe('{"code":7}');
    const large = { name: 'report.pdf', contentBase64: bytes.repeat(2_000) };
    expect(await shown([{ type: 'text', text: 'report.pdf' }], large)).toBe('report.pdf');
  });

  test.each([
    ['an image', { type: 'image', data: '', mimeType: 'image/png' }],
    ['a file', { type: 'resource', resource: { uri: 'file:///a', mimeType: 'application/pdf', blob: '' } }],
  ])('is not said by %s without bytes', async (_what, empty) => {
    const content = [empty, { type: 'text', text: 'two found' }];
    expect(textOf(await outcomeOf({ content, structuredContent: { ids: [1, 2] } }))).toContain(
      '{"ids":[1,2]}',
    );
  });

  test('without other content is the text', async () => {
    const outcome = await outcomeOf({ content: [], structuredContent: { temperature: 20 } }, definition);
    expect(textOf(outcome)).toBe('{"temperature":20}');
  });

  test.each([
    ['breaks the schema', { content: text, structuredContent: { temperature: 'hot' } }, 'mcp/result-invalid'],
    ['is missing', { content: text }, 'mcp/structured-missing'],
    ['is missing and so is everything else', { content: [] }, 'mcp/structured-missing'],
  ])(
    'that %s fails the call, or is given on and reported where the rule is lenient',
    async (_what, answer, code) => {
      const strict = await outcomeOf(answer, definition);
      expect([strict.kind, strict.reason, textOf(strict)]).toEqual([
        'failed',
        'output_invalid',
        'The tool failed.',
      ]);
      const events: MountEvent[] = [];
      const { mount } = await mountScript(
        { tools: [plainTool('work', definition)], call: () => answer },
        { rules: [{ tool: 'work', output: 'lenient' }], observe: (event) => events.push(event) },
      );
      expect((await (await callerOf(mount))('work')).kind).toBe('completed');
      expect(events.at(-1)).toEqual({ kind: 'result-unchecked', server: 'server', tool: 'work', code });
    },
  );

  test('is judged by the definition that was offered, whatever is listed later', async () => {
    const script = {
      tools: [plainTool('work', definition)],
      call: () => ({ content: [], structuredContent: { temperature: 'hot' } }),
    };
    const { mount } = await mountScript(script);
    const call = await callerOf(mount);
    const first = await call('work');
    await mount.refresh();
    expect([first.reason, (await call('work')).reason]).toEqual(['output_invalid', 'output_invalid']);
  });

  test('missing from an error is no second error', async () => {
    const outcome = await outcomeOf({ content: [{ type: 'text', text: 'No.' }], isError: true }, definition);
    expect([outcome.reason, textOf(outcome)]).toEqual(['tool_failure', 'No.']);
  });
});

describe('an error of the protocol', () => {
  const refused = 'The server of this tool refused the call';
  test.each([
    [-32_603, `${refused}.`],
    [-32_602, `${refused}: it does not take these arguments, or has the tool no more.`],
    [-32_601, `${refused}.`],
    [-32_000, `${refused}.`],
    [
      -32_042,
      'The server of this tool wants a person to open a page first, such as for a login. The call was not started.',
    ],
    [1, `${refused}.`],
  ])('of code %j is a failure that says nothing of the server', async (code, text) => {
    const outcome = await outcomeOf(new RpcFault(code, SECRET, { stack: SECRET, elicitations: [] }));
    expect([outcome.kind, textOf(outcome)]).toEqual(['failed', text]);
    expect(leaving(outcome)).not.toContain('db.internal');
  });
});

describe('a call', () => {
  test('sends the admitted arguments with their defaults, the name of the server, and the key of the call', async () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'number', default: 7 } } };
    const seen: ScriptedCall[] = [];
    const { mount } = await mountScript(
      { tools: [plainTool('get.it', { inputSchema })], call: (call) => void seen.push(call) },
      { name: 'fs', prefix: true },
    );
    const [name = ''] = mount.tools.map(({ contract }) => contract.definition.name);
    await (await callerOf(mount))(name, {});
    expect(seen).toMatchObject([{ name: 'get.it', arguments: { a: 7 } }]);
    expect(seen[0]?.meta['toolgate/idempotency-key']).toEqual(expect.stringMatching(/^sha256:/));
  });

  test('that is cancelled sends the cancellation of the protocol and is unknown', async () => {
    const { arrived, call } = stalling();
    const { mount, server } = await mountScript({ tools, call });
    const stop = new AbortController();
    const running = (await callerOf(mount, {}, stop.signal))('work');
    await arrived;
    stop.abort(new Error('enough'));
    const outcome = await running;
    expect([outcome.kind, outcome.reason]).toEqual(['unknown', 'cancelled_after_dispatch']);
    const request = server.of('tools/call')[0];
    expect(server.of('notifications/cancelled')[0]?.params?.['requestId']).toBe(request?.['id']);
  });

  test('that is cancelled before the server is reached is not started', async () => {
    const { mount, server } = await mountScript({ tools });
    server.script.page = () => new Promise(() => undefined);
    server.die();
    const stop = new AbortController();
    const running = (await callerOf(mount, {}, stop.signal))('work');
    stop.abort(new Error('enough'));
    const outcome = await running;
    expect(outcome.kind).not.toBe('completed');
    expect(server.of('tools/call')).toEqual([]);
  });

  test('reports progress, bounded', async () => {
    const seen: unknown[] = [];
    const script = {
      tools,
      call: async ({ progress }: ScriptedCall) => {
        progress(1, 4);
        progress(2, 4);
        // Notices are taken in a turn of their own.
        await new Promise((resolve) => setImmediate(resolve));
        return { content: [] };
      },
    };
    const { mount } = await mountScript(script);
    await callDirectly(mount, 'work', {}, { progress: (update) => seen.push(update) });
    expect(seen).toEqual([
      { progress: 1, total: 4 },
      { progress: 2, total: 4 },
    ]);
  });
});

describe('time', () => {
  const rules = [{ tool: 'work', timeoutMs: 10_000, maxTimeoutMs: 60_000 }];

  test('without a sign of life ends a call, which is unknown, and both limits are named', async () => {
    const clock = createFakeClock();
    const { arrived, call } = stalling();
    const { mount, server } = await mountScript({ tools, call }, { clock, rules });
    const running = (await callerOf(mount, { clock }))('work');
    await arrived;
    await clock.advance(10_000);
    const outcome = await running;
    expect([outcome.kind, outcome.reason]).toEqual(['unknown', 'call_error']);
    expect(textOf(outcome)).toMatch(/10000 ms.*60000 ms/);
    expect(server.of('notifications/cancelled')).toHaveLength(1);
  });

  test('starts anew with each report of progress, up to the limit altogether', async () => {
    const clock = createFakeClock();
    const { arrived, call } = stalling();
    const { mount } = await mountScript({ tools, call }, { clock, rules });
    const running = (await callerOf(mount, { clock }))('work');
    const { progress } = await arrived;
    let settled = false;
    void running.then(() => {
      settled = true;
    });
    for (let second = 9; second < 60; second += 9) {
      await clock.advance(9_000);
      progress(second);
      await clock.advance(0);
      expect(settled).toBe(false);
    }
    await clock.advance(6_000);
    const outcome = await running;
    expect(outcome.kind).toBe('unknown');
    expect(textOf(outcome)).toMatch(/within 60000 ms altogether.*10000 ms/);
  });

  describe.each(['elicitation/create', 'sampling/createMessage'])(
    'while the server waits for %s',
    (method) => {
      const asked = {
        'elicitation/create': { message: 'Which one?', requestedSchema: { type: 'object', properties: {} } },
        'sampling/createMessage': { messages: [], maxTokens: 5 },
      };
      const waiting = async () => {
        const clock = createFakeClock();
        const { arrived, call } = stalling();
        let answer: (() => void) | undefined;
        const person = new Promise<void>((resolve) => {
          answer = resolve;
        });
        const hooks = {
          elicit: () => person.then(() => ({ action: 'accept' as const, content: {} })),
          sample: () =>
            person.then(() => ({
              role: 'assistant' as const,
              model: 'm',
              content: { type: 'text' as const, text: 'a' },
            })),
        };
        const { mount, server } = await mountScript({ tools, call }, { clock, rules, hooks });
        const running = (await callerOf(mount, { clock }))('work');
        await arrived;
        server.send({ jsonrpc: '2.0', id: 'q', method, params: Reflect.get(asked, method) });
        await clock.advance(0);
        return { clock, running, server, answer: () => answer?.() };
      };

      test('stands still, and goes on when it is answered', async () => {
        const { answer, clock, running, server } = await waiting();
        let settled = false;
        void running.then(() => {
          settled = true;
        });
        await clock.advance(30_000);
        expect(settled).toBe(false);
        answer();
        await expect.poll(() => server.received.some(({ id }) => id === 'q')).toBe(true);
        await clock.advance(9_000);
        expect(settled).toBe(false);
        await clock.advance(1_000);
        expect(textOf(await running)).toMatch(/no answer and no progress for 10000 ms/);
      });

      test('is limited altogether all the same', async () => {
        const { clock, running } = await waiting();
        await clock.advance(60_000);
        expect(textOf(await running)).toMatch(/within 60000 ms altogether/);
      });

      test('ends for all calls when the connection breaks', async () => {
        const { clock, running, server } = await waiting();
        server.die();
        await clock.advance(0);
        expect((await running).reason).toBe('interrupted');
      });
    },
  );

  test('leaves no timer behind', async () => {
    const clock = createFakeClock();
    const { mount } = await mountScript({ tools }, { clock, rules });
    const call = await callerOf(mount);
    await call('work');
    await mount.close();
    expect(clock.pending).toBe(0);
  });
});

describe('a connection that breaks', () => {
  test('during a call makes it unknown, and the next call connects anew', async () => {
    const { arrived, call: stall } = stalling();
    const { mount, server } = await mountScript({ tools, call: stall });
    const call = await callerOf(mount);
    const running = call('work');
    await arrived;
    server.die();
    const outcome = await running;
    expect([outcome.kind, outcome.reason]).toEqual(['unknown', 'interrupted']);
    expect(textOf(outcome)).toBe('The call was interrupted. Its effects are unknown.');
    delete server.script.call;
    expect((await call('work')).kind).toBe('completed');
    expect(server.connections).toBe(2);
    expect(mount.report.problems).toMatchObject([{ code: 'mcp/interrupted' }]);
  });

  test('during many calls makes each of them unknown, and they share one new connection', async () => {
    const { mount, server } = await mountScript({ tools, call: () => new Promise(() => undefined) });
    const call = await callerOf(mount);
    const running = Array.from({ length: 5 }, () => call('work'));
    await expect.poll(() => server.of('tools/call').length).toBe(5);
    server.die();
    expect((await Promise.all(running)).map(({ reason }) => reason)).toEqual(Array(5).fill('interrupted'));
    delete server.script.call;
    const again = await Promise.all(Array.from({ length: 5 }, () => call('work')));
    expect(again.map(({ kind }) => kind)).toEqual(Array(5).fill('completed'));
    expect(server.connections).toBe(2);
  });

  test('again and again is tried again later each time, and a success forgets it', async () => {
    const clock = createFakeClock();
    const { mount, server } = await mountScript(
      { tools },
      { clock, rules: [{ tool: 'work', timeoutMs: 'none', maxTimeoutMs: 'none' }] },
    );
    const call = await callerOf(mount);
    server.script.page = () => 'broken';
    server.die();
    const delays: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const before = clock.now();
      const connections = server.connections;
      const running = call('work');
      await clock.advance(0);
      while (server.connections === connections) if (!(await clock.advanceToNext())) break;
      delays.push(clock.now() - before);
      server.die();
      expect(textOf(await running)).toBe('The server of this tool is not available now.');
    }
    expect(delays[0]).toBe(0);
    expect(delays.slice(1)).toEqual([...delays.slice(1)].sort((left, right) => left - right));
    expect(delays.at(-1)).toBeGreaterThanOrEqual(500);
    expect(delays.at(-1)).toBeLessThanOrEqual(30_000);
  });
});

describe('what a server asks', () => {
  const ask = async (method: string, params: object, hooks = {}) => {
    const { server } = await mountScript({ tools }, { hooks });
    server.send({ jsonrpc: '2.0', id: 'q1', method, params });
    await expect.poll(() => server.received.find(({ id }) => id === 'q1')).toBeDefined();
    return server.received.find(({ id }) => id === 'q1');
  };
  const elicit = { message: 'Password?', requestedSchema: { type: 'object', properties: {} } };

  test.each([
    ['elicitation/create', elicit],
    ['sampling/createMessage', { messages: [], maxTokens: 10 }],
    ['roots/list', {}],
  ])('by %s is declined where the application has no hook for it', async (method, params) => {
    expect(await ask(method, params)).toMatchObject({ error: { code: -32_601 } });
  });

  test('within a call of the newest revision fails the call without a hook, and is answered with one', async () => {
    const asks = {
      resultType: 'input_required',
      requestState: 'state',
      inputRequests: { q: { method: 'elicitation/create', params: { mode: 'form', ...elicit } } },
    };
    let round = 0;
    const call = (): unknown => {
      round += 1;
      return round % 2 === 1 ? asks : { content: [{ type: 'text', text: 'thank you' }] };
    };
    const without = await mountScript({ tools, call: () => asks, modern: true });
    const outcome = await (await callerOf(without.mount))('work');
    expect([outcome.kind, textOf(outcome)]).toEqual(['failed', 'The server of this tool refused the call.']);
    expect(without.server.of('tools/call')).toHaveLength(1);
    const hooks = { elicit: async () => ({ action: 'accept' as const, content: {} }) };
    const broken = async () => {
      throw new Error(SECRET);
    };
    const failing = await mountScript(
      { tools, call: () => asks, modern: true },
      { hooks: { elicit: broken } },
    );
    const unmet = await (await callerOf(failing.mount))('work');
    expect([unmet.kind, textOf(unmet)]).toEqual(['failed', expect.stringContaining('did not get')]);
    expect(leaving(unmet)).not.toContain(SECRET);
    const having = await mountScript({ tools, call, modern: true }, { hooks });
    expect(textOf(await (await callerOf(having.mount))('work'))).toBe('thank you');
  });

  test('is answered by a hook', async () => {
    const roots = async () => [{ uri: 'file:///sandbox' }];
    expect(await ask('roots/list', {}, { roots })).toMatchObject({
      result: { roots: [{ uri: 'file:///sandbox' }] },
    });
    const broken = async () => {
      throw new Error(SECRET);
    };
    const unmet = await ask('elicitation/create', elicit, { elicit: broken });
    expect(unmet).toMatchObject({ error: { code: -32_603 } });
    expect(JSON.stringify(unmet)).not.toContain(SECRET);
    const declined = { elicit: async () => ({ action: 'decline' as const }) };
    expect(await ask('elicitation/create', elicit, declined)).toMatchObject({
      result: { action: 'decline' },
    });
  });

  test('is announced only with a hook', async () => {
    const without = await mountScript({ tools });
    expect(without.server.of('initialize')[0]?.params?.['capabilities']).not.toHaveProperty('elicitation');
    const hooks = { elicit: async () => ({ action: 'decline' as const }) };
    const having = await mountScript({ tools }, { hooks });
    expect(having.server.of('initialize')[0]?.params?.['capabilities']).toHaveProperty('elicitation');
    expect(having.server.of('initialize')[0]?.params?.['capabilities']).not.toHaveProperty('sampling');
  });
});

test('a call past the gate rejects with errors that the gate would understand', async () => {
  const { mount } = await mountScript({ tools, call: () => new RpcFault(-32_000, SECRET) });
  const error = await rejection(callDirectly(mount, 'work'));
  expect(error).toMatchObject({ name: 'Failure', kind: 'failed' });
});
