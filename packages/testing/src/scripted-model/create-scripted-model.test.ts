import { collectResponse, createEventOrder, type ModelCall, type ModelEvent } from '@toolgate/model';
import { expect, test } from 'vitest';
import { createScriptedModel } from './create-scripted-model.ts';
import { readScript } from './read-script.ts';
import type { Script } from './script.ts';

const call: ModelCall = {
  model: 'm',
  items: [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'Is it open?' }] }],
};

async function ask(script: Script, request = call): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  const model = createScriptedModel(script);
  for await (const event of model.stream(request, { signal: new AbortController().signal }))
    events.push(event);
  return events;
}

test('a turn comes in the order of events, in whole characters, and is the turn when it is joined', async () => {
  const events = await ask({
    turns: [{ reasoning: 'hm', text: 'ä😀b', calls: [{ name: 'look', arguments: { id: '😀' } }] }],
    pieceLength: 1,
  });
  const order = createEventOrder();
  for (const event of events) order.push(event);
  order.end();
  expect(collectResponse(events)).toMatchObject({
    finish: 'tool-calls',
    items: [
      { kind: 'reasoning', text: 'hm' },
      { kind: 'message', parts: [{ kind: 'text', text: 'ä😀b' }] },
      { kind: 'tool-call', callId: 'call_1_0', name: 'look', arguments: '{"id":"😀"}' },
    ],
  });
});

test('a cut-off turn leaves its last call open', async () => {
  const events = await ask({
    turns: [{ calls: [{ name: 'a' }, { name: 'b', arguments: '{"x' }], fault: { kind: 'cut-off' } }],
  });
  expect(collectResponse(events)).toMatchObject({ finish: 'error', incomplete: ['call_1_0', 'call_1_1'] });
  expect(events.filter(({ kind }) => kind === 'call-end')).toHaveLength(1);
});

test('garbage ends an answer as something that could not be read', async () => {
  const events = await ask({ turns: [{ text: 'half', fault: { kind: 'garbage' } }] });
  expect(events.at(-1)).toMatchObject({ kind: 'response-error', code: 'model/stream-invalid' });
  expect(collectResponse(events).items).toMatchObject([{ parts: [{ text: 'half' }] }]);
});

test('an error comes before anything else, with its status', async () => {
  const script: Script = {
    turns: [{ text: 'never', fault: { kind: 'error', status: 429, message: 'slow' } }],
  };
  await expect(ask(script)).rejects.toMatchObject({
    code: 'model/http-status',
    status: 429,
    message: 'slow',
  });
});

test('a result is expected in its text or in its value', async () => {
  const items: ModelCall['items'] = [
    ...call.items,
    { kind: 'tool-call', callId: 'a', name: 'look', arguments: '{}' },
    { kind: 'tool-result', callId: 'a', parts: [{ kind: 'text', text: 'three' }] },
    { kind: 'tool-result', callId: 'b', parts: [], structured: { lines: 4 } },
  ];
  const script: Script = { turns: [{ text: 'ok', expect: { results: ['three', '"lines":4'] } }] };
  expect(collectResponse(await ask(script, { ...call, items })).finish).toBe('stop');
});

test('a silent model says nothing more, and ends with its signal', async () => {
  const controller = new AbortController();
  const events = createScriptedModel({ turns: [{ fault: { kind: 'silence' } }] }).stream(call, {
    signal: controller.signal,
  });
  const iterator = events[Symbol.asyncIterator]();
  await iterator.next();
  const next = iterator.next();
  controller.abort();
  await expect(next).rejects.toMatchObject({ code: 'model/cancelled' });
});

test.each([
  ['another question', { userText: 'closed' }],
  ['tools that were not offered', { tools: ['look'] }],
  ['results that are not there', { results: ['3'] }],
])('a request fails when the script expects %s', async (_, expected) => {
  await expect(ask({ turns: [{ text: 'yes', expect: expected }] })).rejects.toThrow(
    'request 1 differs from the script',
  );
});

test('a request beyond the script fails', async () => {
  const model = createScriptedModel({ turns: [{ text: 'only' }] });
  const drain = async (): Promise<void> => {
    for await (const _ of model.stream(call, { signal: new AbortController().signal }));
  };
  await drain();
  await expect(drain()).rejects.toThrow('the script has 1 turns; this is request 2');
});

test.each([
  ['not JSON', '{"turns":', 'not JSON'],
  ['no turns', '{}', 'turns'],
  ['an unknown member', '{"turns":[{"txt":"a"}]}', 'txt'],
  ['an unknown fault', '{"turns":[{"fault":{"kind":"bang"}}]}', '/turns/0/fault/kind'],
])('a script with %s is refused by place', (_, json, place) => {
  expect(() => readScript(json)).toThrow(place);
});

test('turns alone are no script', () => {
  expect(() => createScriptedModel([{ text: 'Yes.' }] as unknown as Script)).toThrow(/turns: \[/);
});

test.each<[string, object, string]>([
  ['an answer', { turns: [{ txt: 'Yes.' }] }, 'turn 1 has no "txt"'],
  ['arguments', { turns: [{}, { calls: [{ name: 'a', args: {} }] }] }, 'a call of turn 2 has no "args"'],
  ['a fault', { turns: [{ fault: { kind: 'error', code: 500 } }] }, 'the fault of turn 1 has no "code"'],
  ['an expectation', { turns: [{ expect: { result: ['x'] } }] }, 'what turn 1 expects has no "result"'],
  ['a word for its end', { turns: [{ finish: 'tool_calls' }] }, 'the finish of turn 1 is stop, tool-calls'],
  [
    'a kind of fault',
    { turns: [{ fault: { kind: 'timeout' } }] },
    'the kind of the fault of turn 1 is error',
  ],
  ['a count', { turns: [{ usage: { input_tokens: 3 } }] }, 'the usage of turn 1 has no "input_tokens"'],
  ['a number for its text', { turns: [{ text: 5 }] }, 'the text of turn 1 is a text'],
  ['thoughts in a list', { turns: [{ reasoning: ['hm'] }] }, 'the reasoning of turn 1 is a text'],
  ['one call for its calls', { turns: [{ calls: { name: 'a' } }] }, 'the calls of turn 1 are a list'],
  ['a call of nobody', { turns: [{ calls: [{ arguments: {} }] }] }, 'a call of turn 1 has a name'],
  [
    'a number for an id',
    { turns: [{ calls: [{ name: 'a', id: 7 }] }] },
    'the id of a call of turn 1 is a text',
  ],
  [
    'a number for arguments',
    { turns: [{ calls: [{ name: 'a', arguments: 7 }] }] },
    'the arguments of a call of turn 1 are a text or an object',
  ],
  ['a setting', { turns: [], pieces: 3 }, 'the script has no "pieces"'],
  ['pieces of no length', { turns: [], pieceLength: 0 }, 'pieceLength is a whole number from 1'],
])('a script with %s that there is not is refused, and no test passes by it', (_what, script, message) => {
  expect(() => createScriptedModel(script as Script)).toThrow(message);
});

test('a script is read as it is written', () => {
  expect(readScript('{"turns":[{"text":"hi"}]}')).toEqual({ turns: [{ text: 'hi' }] });
});
