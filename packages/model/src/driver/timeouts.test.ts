import { createFakeClock } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { ask, QUESTION } from '../../test-support/ask.ts';
import { createFakeBody, createFakeFetch, type FetchStep } from '../../test-support/fake-fetch.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { openaiChat } from '../openai-chat/openai-chat.ts';
import { createHttpModel } from './http-model.ts';
import type { HttpModelConfig } from './http-model-config.ts';

const piece = (content: string): string =>
  `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta: { content } }] })}\n\n`;
const END = `data: {"id":"a","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;

function setUp(step: FetchStep, config: Partial<HttpModelConfig> = {}) {
  const clock = createFakeClock();
  const { fetch, requests } = createFakeFetch(step);
  const model = createHttpModel({
    codec: openaiChat,
    baseUrl: 'http://model.test',
    model: 'm',
    fetch,
    clock,
    timeouts: { firstEventMs: 1000, betweenEventsMs: 300, totalMs: 5000 },
    ...config,
  });
  return { clock, requests, model };
}

const never: FetchStep = () => new Promise<Response>(() => undefined);

describe('a model that is silent', () => {
  test('before it answers at all is left after the time to its first event, even if its connection does not listen', async () => {
    const { clock, model, requests } = setUp(never);
    const refused = expect(ask(model)).rejects.toMatchObject({
      code: 'model/timeout',
      message: 'The model did not send its first event within 1000 ms.',
    });
    await clock.advance(999);
    expect(requests[0]?.signal.aborted).toBe(false);
    await clock.advance(1);
    await refused;
    expect(requests[0]?.signal.aborted).toBe(true);
    expect(requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  test('after its headers is left at the same moment, whatever it sends that is no event', async () => {
    const body = createFakeBody();
    const { clock, model } = setUp(() => body.response);
    const refused = expect(ask(model)).rejects.toMatchObject({ code: 'model/timeout' });
    for (let round = 0; round < 9; round++) {
      await clock.advance(100);
      body.write(': still thinking\n\n');
    }
    await clock.advance(99);
    expect(body.cancelled).toBe(false);
    await clock.advance(1);
    await refused;
    expect(body.cancelled).toBe(true);
  });

  test('in the middle of its answer is left after the time between events, with what it said', async () => {
    const body = createFakeBody();
    const { clock, model } = setUp(() => body.response);
    const result = ask(model);
    body.write(piece('ja'));
    await clock.advance(0);
    await clock.advance(299);
    body.write(piece(', ja'));
    await clock.advance(0);
    await clock.advance(299);
    expect(body.cancelled).toBe(false);
    await clock.advance(1);
    const events = await result;
    expect(events.at(-1)).toEqual({
      kind: 'response-error',
      code: 'model/timeout',
      message: 'The model did not send its next event within 300 ms.',
    });
    expect(events.filter(({ kind }) => kind === 'text-delta')).toHaveLength(2);
    expect(body.cancelled).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test('with its error page is left too', async () => {
    const body = createFakeBody();
    const { clock, model } = setUp(() => new Response(body.response.body, { status: 500 }));
    const refused = expect(ask(model)).rejects.toMatchObject({ code: 'model/timeout' });
    await clock.advance(1000);
    await refused;
    expect(body.cancelled).toBe(true);
  });

  test('after the end of its answer is not waited for', async () => {
    const body = createFakeBody();
    const { clock, model } = setUp(() => body.response);
    const result = ask(model);
    body.write(piece('ja') + END);
    await clock.advance(0);
    await clock.advance(100);
    expect((await result).at(-1)).toMatchObject({ kind: 'response-end', finish: 'stop' });
    expect(body.cancelled).toBe(true);
    expect(clock.pending).toBe(0);
  });
});

describe('an answer that lacks nothing but its end', () => {
  const timeouts = { betweenEventsMs: 60_000, totalMs: 120_000 };
  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const called = (text: string): object => ({
    tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'find', arguments: text } }],
  });
  const counts = 'data: {"id":"a","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n';

  test.each([
    ['a text', piece('ja') + chunk({}, 'stop'), 'stop'],
    ['a text and counts', piece('ja') + chunk({}, 'stop') + counts, 'stop'],
    [
      'a call',
      chunk(called('{}'), null) + chunk({ content: '', tool_calls: [] }, 'tool_calls'),
      'tool-calls',
    ],
    ['a call under another word', piece('ja') + chunk(called('{}'), 'stop'), 'tool-calls'],
    ['a text that was cut', piece('ja') + chunk({}, 'length'), 'length'],
  ])('is whole after five seconds, whatever sign of life comes: %s', async (_what, said, finish) => {
    const body = createFakeBody();
    const { clock, model } = setUp(() => body.response, { timeouts });
    const result = ask(model);
    body.write(said);
    await clock.advance(0);
    for (let second = 0; second < 5; second++) {
      expect(body.cancelled).toBe(false);
      body.write(': waiting\n\n');
      await clock.advance(1_000);
    }
    expect((await result).at(-1)).toMatchObject({ kind: 'response-end', finish });
    expect(body.cancelled).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test('has no more time than there is between events', async () => {
    const body = createFakeBody();
    const { clock, model } = setUp(() => body.response);
    const result = ask(model);
    body.write(piece('ja') + chunk({}, 'stop'));
    await clock.advance(0);
    await clock.advance(300);
    expect((await result).at(-1)).toMatchObject({ kind: 'response-end', finish: 'stop' });
  });

  test('is whole after the time between events where all that it says came with the word for its end', async () => {
    const body = createFakeBody();
    const { clock, model } = setUp(() => body.response, { timeouts });
    const result = ask(model);
    body.write(chunk(called('{}'), 'tool_calls'));
    await clock.advance(0);
    for (let second = 0; second < 60; second++) {
      expect(body.cancelled).toBe(false);
      body.write(': waiting\n\n');
      await clock.advance(1_000);
    }
    expect((await result).at(-1)).toMatchObject({ kind: 'response-end', finish: 'tool-calls' });
    expect(body.cancelled).toBe(true);
  });

  test.each([
    ['a call that is not whole', chunk(called('{'), 'stop')],
    ['a word for the end with a thought', chunk({ reasoning_content: 'hm' }, 'stop')],
    ['a word for the end with the first piece', chunk({ content: 'ja' }, 'stop')],
    [
      'a word for the end in each chunk',
      chunk({ content: 'ja' }, 'stop') + chunk({ content: ', ja' }, 'stop'),
    ],
  ])('is waited for as ever where the end means little: %s', async (_what, said) => {
    const body = createFakeBody();
    const { clock, model } = setUp(() => body.response, { timeouts });
    const result = ask(model);
    body.write(said);
    await clock.advance(0);
    await clock.advance(59_999);
    expect(body.cancelled).toBe(false);
    body.write(chunk({ content: '!' }, 'stop'));
    await clock.advance(0);
    body.end();
    expect((await result).filter(({ kind }) => kind === 'text-delta').at(-1)).toMatchObject({ text: '!' });
  });
});

test('a body that ends a moment after its answer is read to its end, so that its connection stays usable', async () => {
  const body = createFakeBody();
  const { clock, model } = setUp(() => body.response);
  const result = ask(model);
  body.write(piece('ja') + END);
  await clock.advance(0);
  await clock.advance(50);
  body.end();
  await clock.advance(0);
  await result;
  expect(body.cancelled).toBe(false);
  expect(clock.pending).toBe(0);
});

test('an endless answer is left after the total time, however lively it is', async () => {
  const body = createFakeBody();
  const { clock, model } = setUp(() => body.response);
  const result = ask(model);
  for (let round = 0; round < 50; round++) {
    body.write(piece('ja'));
    await clock.advance(100);
  }
  expect((await result).at(-1)).toMatchObject({
    code: 'model/timeout',
    message: 'The model did not send its whole answer within 5000 ms.',
  });
});

test('the time that the consumer takes is not the silence of the model', async () => {
  const body = createFakeBody();
  const { clock, model } = setUp(() => body.response);
  body.write(piece('ja') + piece(', ja') + END);
  body.end();
  const events: ModelEvent[] = [];
  for await (const event of model.stream(QUESTION, { signal: new AbortController().signal })) {
    events.push(event);
    await clock.advance(400);
  }
  expect(events.at(-1)).toMatchObject({ kind: 'response-end' });
});

test('a body is read no further than its events are taken', async () => {
  const body = createFakeBody();
  const { model } = setUp(() => body.response);
  const iterator = model.stream(QUESTION, { signal: new AbortController().signal })[Symbol.asyncIterator]();
  for (let round = 0; round < 100; round++) body.write(piece('ja'));
  const before = body.pulls;
  await iterator.next();
  for (let round = 0; round < 50; round++) await new Promise((resolve) => setImmediate(resolve));
  expect(body.pulls).toBe(before);
  await iterator.return?.();
  expect(body.cancelled).toBe(true);
});

test.each(['none', 5_000_000_000] as const)('a bound of %s never ends an answer early', async (bound) => {
  const body = createFakeBody();
  const timeouts = { firstEventMs: bound, betweenEventsMs: bound, totalMs: bound };
  const { clock, model } = setUp(() => body.response, { timeouts });
  const result = ask(model);
  await clock.advance(2_000_000_000);
  body.write(piece('ja') + END);
  body.end();
  expect((await result).at(-1)).toMatchObject({ kind: 'response-end' });
});

test('a fetch that answers after it was given up gets its body closed', async () => {
  const body = createFakeBody();
  let answer: (response: Response) => void = () => undefined;
  const { clock, model } = setUp(
    () =>
      new Promise<Response>((resolve) => {
        answer = resolve;
      }),
  );
  const refused = expect(ask(model)).rejects.toMatchObject({ code: 'model/timeout' });
  await clock.advance(1000);
  await refused;
  answer(body.response);
  await clock.advance(0);
  expect(body.cancelled).toBe(true);
});
