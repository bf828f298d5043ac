import { collectResponse, type Model, type ModelCall, ModelError, type ModelEvent } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { createScriptedModel } from '../scripted-model/create-scripted-model.ts';
import type { Script } from '../scripted-model/script.ts';
import { createReplayModel } from './create-replay-model.ts';
import { readRecording } from './read-recording.ts';
import { type RecordingModel, type RecordingOptions, recordModel } from './record-model.ts';

const question = (text: string): ModelCall => ({
  model: 'm',
  items: [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text }] }],
});

async function drain(model: Model, call: ModelCall): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(call, { signal: new AbortController().signal })) events.push(event);
  return events;
}

/** A recording as it comes back from a file. */
function saved(model: RecordingModel) {
  return readRecording(JSON.stringify(model.recording()));
}

const record = (script: Script, options?: RecordingOptions): RecordingModel =>
  recordModel(createScriptedModel(script), options);

describe('a recording', () => {
  test('says the same again, event by event, turn after turn', async () => {
    const model = record({
      turns: [
        { reasoning: 'hm', text: 'ä😀', calls: [{ name: 'find', arguments: { a: 1 } }] },
        { text: 'done' },
      ],
      pieceLength: 1,
    });
    const first = await drain(model, question('one'));
    const second = await drain(model, question('two'));
    const replay = createReplayModel(saved(model));
    expect(replay.id).toBe(model.id);
    expect([...replay.capabilities]).toEqual([...model.capabilities]);
    expect(await drain(replay, question('one'))).toEqual(first);
    expect(await drain(replay, question('two'))).toEqual(second);
  });

  test.each([
    ['another text', question('two'), '/items/0/parts/0/text'],
    ['one more member', { ...question('one'), tools: [] }, '/tools'],
    ['one item less', { ...question('one'), items: [] }, '/items/0'],
  ])('fails on a request with %s, and names the place', async (_, call, place) => {
    const model = record({ turns: [{ text: 'ja' }] });
    await drain(model, question('one'));
    await expect(drain(createReplayModel(saved(model)), call)).rejects.toThrow(
      `request 1 differs from the recording at ${place}`,
    );
  });

  test('does not care about the order of members', async () => {
    const model = record({ turns: [{ text: 'ja' }] });
    await drain(model, { ...question('one'), endUser: 'u' });
    const { items, model: name } = question('one');
    await drain(createReplayModel(saved(model)), { endUser: 'u', items, model: name });
  });

  test('fails on one request too many', async () => {
    const replay = createReplayModel(saved(record({ turns: [{ text: 'ja' }] })));
    await expect(drain(replay, question('one'))).rejects.toThrow(
      'the recording has 0 turns; this is request 1',
    );
  });

  test('gives each of several runs its own turns, whichever is faster this time', async () => {
    const model = record({ turns: [{ text: 'a1' }, { text: 'b1' }, { text: 'b2' }, { text: 'a2' }] });
    const calls = ['a', 'b', 'b again', 'a again'].map(question);
    const said = [];
    for (const call of calls) said.push(await drain(model, call));
    const replay = createReplayModel(saved(model));
    expect(replay.unsaid).toBe(4);
    for (const index of [1, 0, 3, 2]) {
      expect(await drain(replay, question(['a', 'b', 'b again', 'a again'][index] ?? ''))).toEqual(
        said[index],
      );
    }
    expect(replay.unsaid).toBe(0);
  });

  test('gives equal requests their turns in the order in which they were recorded', async () => {
    const model = record({ turns: [{ text: 'first' }, { text: 'second' }] });
    const first = await drain(model, question('same'));
    const second = await drain(model, question('same'));
    const replay = createReplayModel(saved(model));
    expect(await drain(replay, question('same'))).toEqual(first);
    expect(await drain(replay, question('same'))).toEqual(second);
    await expect(drain(replay, question('same'))).rejects.toThrow('this is request 3');
  });

  test('keeps what nobody has asked for, and a changed request takes none of it', async () => {
    const model = record({ turns: [{ text: 'one' }, { text: 'two' }] });
    await drain(model, question('one'));
    await drain(model, question('two'));
    const replay = createReplayModel(saved(model));
    await expect(drain(replay, question('three'))).rejects.toThrow('request 1 differs');
    await drain(replay, question('two'));
    expect(replay.unsaid).toBe(1);
  });

  test('throws again what the model threw', async () => {
    const model = record({ turns: [{ fault: { kind: 'error', status: 529, message: 'busy' } }] });
    await expect(drain(model, question('one'))).rejects.toMatchObject({ status: 529 });
    const again = drain(createReplayModel(saved(model)), question('one'));
    await expect(again).rejects.toMatchObject({ code: 'model/http-status', status: 529, message: 'busy' });
  });

  test('breaks off again where the model broke off', async () => {
    const model = record({
      turns: [{ calls: [{ name: 'a', arguments: '{"x' }], fault: { kind: 'cut-off' } }],
    });
    await drain(model, question('one'));
    const events = await drain(createReplayModel(saved(model)), question('one'));
    expect(collectResponse(events)).toMatchObject({ finish: 'error', incomplete: ['call_1_0'] });
  });

  test('that was left early says so to whoever asks for more', async () => {
    const model = record({ turns: [{ text: 'a long answer' }], pieceLength: 1 });
    for await (const _ of model.stream(question('one'), { signal: new AbortController().signal })) break;
    const replay = createReplayModel(saved(model));
    await expect(drain(replay, question('one'))).rejects.toThrow('was left before its end');
  });

  test('keeps turns in the order in which they were asked for', async () => {
    const model = record({ turns: [{ text: 'first', fault: { kind: 'silence' } }, { text: 'second' }] });
    const controller = new AbortController();
    const first = (async () => {
      for await (const _ of model.stream(question('one'), { signal: controller.signal }));
    })();
    const refused = expect(first).rejects.toMatchObject({ code: 'model/cancelled' });
    await drain(model, question('two'));
    controller.abort();
    await refused;
    expect(model.recording().turns.map(({ request }) => JSON.stringify(request).includes('one'))).toEqual([
      true,
      false,
    ]);
  });

  test('ends with its signal', async () => {
    const model = record({ turns: [{ text: 'a long answer' }], pieceLength: 1 });
    await drain(model, question('one'));
    const controller = new AbortController();
    const replay = createReplayModel(saved(model)).stream(question('one'), { signal: controller.signal });
    const read = async (): Promise<void> => {
      for await (const _ of replay) controller.abort();
    };
    await expect(read()).rejects.toMatchObject({ code: 'model/cancelled' });
  });
});

describe('a recording holds no secret', () => {
  const KEY = 'sk-abcdefghijklmnop';
  const script: Script = {
    turns: [
      { reasoning: `use ${KEY}`, text: `key ${KEY}!`, calls: [{ name: 'get', arguments: { key: KEY } }] },
    ],
    pieceLength: 3,
  };

  test('that looks like one, however small the pieces in which it came', async () => {
    const model = record(script);
    await drain(model, question(`my key is ${KEY}`));
    expect(JSON.stringify(model.recording())).not.toContain(KEY);
    const events = await drain(createReplayModel(saved(model)), question(`my key is ${KEY}`));
    expect(collectResponse(events).items).toMatchObject([
      { text: 'use [redacted]' },
      { parts: [{ text: 'key [redacted]!' }] },
      { arguments: '{"key":"[redacted]"}' },
    ]);
  });

  test.each(['AKIAIOSFODNN7EXAMPLE', 'postgres://app:hunter22@db.example', 'xoxb-123456789012-abcDEF'])(
    'that a tool may have said: %s',
    async (secret) => {
      const model = record({ turns: [{ text: `It is ${secret}.` }], pieceLength: 2 });
      await drain(model, question(`What is ${secret}?`));
      const kept = JSON.stringify(model.recording());
      expect(kept).toContain('[redacted]');
      expect(kept).not.toContain(secret);
      await drain(createReplayModel(saved(model)), question(`What is ${secret}?`));
    },
  );

  test('that its owner names', async () => {
    const redact = (text: string): string => text.replaceAll('Alice', 'someone');
    const model = record({ turns: [{ text: 'Hello Alice' }], pieceLength: 2 }, { redact });
    await drain(model, question('I am Alice'));
    expect(JSON.stringify(model.recording())).not.toContain('Alice');
    const events = await drain(createReplayModel(saved(model), { redact }), question('I am Alice'));
    expect(collectResponse(events).items).toMatchObject([{ parts: [{ text: 'Hello someone' }] }]);
  });

  test('in an error', async () => {
    const failing: Model = {
      id: 'f',
      capabilities: new Set(),
      async *stream() {
        yield* [];
        throw new ModelError('model/provider-error', `no ${KEY}`, { requestId: KEY });
      },
    };
    const model = recordModel(failing);
    await expect(drain(model, question('one'))).rejects.toMatchObject({ code: 'model/provider-error' });
    expect(JSON.stringify(model.recording())).not.toContain(KEY);
  });
});

test.each([
  ['no JSON', '{"version":', 'not JSON'],
  ['another version', '{"version":2,"model":"m","capabilities":[],"turns":[]}', '/version'],
  ['an unknown member', '{"version":1,"model":"m","capabilities":[],"turns":[],"x":1}', 'x'],
  [
    'an error without a code',
    '{"version":1,"model":"m","capabilities":[],"turns":[{"request":{},"events":[],"end":{"kind":"error"}}]}',
    'code',
  ],
  [
    'events out of order',
    '{"version":1,"model":"m","capabilities":[],"turns":[{"request":{},"events":[{"kind":"text-delta","index":0,"text":"a"}]}]}',
    '/turns/0/events',
  ],
])('a file with %s is refused by place', (_, json, place) => {
  expect(() => readRecording(json)).toThrow(TypeError);
  expect(() => readRecording(json)).toThrow(place);
});
