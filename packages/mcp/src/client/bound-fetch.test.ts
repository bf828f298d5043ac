import { describe, expect, test } from 'vitest';
import { rejection } from '../../test-support/mount-fixture.ts';
import type { McpError } from '../mcp-error.ts';
import { boundFetch } from './bound-fetch.ts';

/** Fetches these pieces, as what they are called, through a bound of 100 bytes. */
async function fetched(pieces: readonly string[], type: string, status = 200) {
  const told: McpError[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const answer = async () =>
    new Response(body, { status, headers: { 'content-type': type, 'x-kept': 'yes' } });
  const response = await boundFetch(answer, 100, (error) => told.push(error))('http://a.example/');
  return { response, told };
}

const tooLarge = { code: 'mcp/message-too-large' };

describe('a body', () => {
  test('within its bound is as it was, with state and headers', async () => {
    const { response, told } = await fetched(['{"a":', '1}'], 'application/json', 404);
    expect([response.status, response.headers.get('x-kept')]).toEqual([404, 'yes']);
    expect(await response.json()).toEqual({ a: 1 });
    expect(told).toEqual([]);
  });

  test.each([
    ['in one piece', ['x'.repeat(101)]],
    ['in many', Array.from({ length: 101 }, () => 'x')],
    ['in short lines', Array.from({ length: 60 }, () => 'x\n\n')],
  ])('that is too large %s fails, and somebody is told', async (_how, pieces) => {
    const { response, told } = await fetched(pieces, 'application/json');
    expect(await rejection(response.text())).toMatchObject(tooLarge);
    expect(told).toMatchObject([tooLarge]);
  });

  test('of no content has none', async () => {
    const answer = async () => new Response(null, { status: 204 });
    const response = await boundFetch(answer, 100, () => undefined)('http://a.example/');
    expect(response.status).toBe(204);
  });
});

describe('a stream of events', () => {
  test.each([
    ['lines end in a line feed', '\n'],
    ['lines end in both', '\r\n'],
  ])('may be endless while each event is small, when %s', async (_what, end) => {
    const event = `data: ${'x'.repeat(50)}${end}${end}`;
    const { response } = await fetched(
      Array.from({ length: 100 }, () => event),
      'text/event-stream; charset=utf-8',
    );
    expect((await response.text()).length).toBe(event.length * 100);
  });

  test.each([
    ['one endless line', ['data: ', ...Array.from({ length: 100 }, () => 'xx')]],
    ['endless lines without an empty one', Array.from({ length: 30 }, () => 'data: x\n')],
    ['a large event after small ones', ['data: a\n\n', `data: ${'x'.repeat(101)}\n\n`]],
  ])('with %s fails', async (_what, pieces) => {
    const { response } = await fetched(pieces, 'text/event-stream');
    expect(await rejection(response.text())).toMatchObject(tooLarge);
  });
});

describe('a message that is ambiguous', () => {
  const ambiguous = { code: 'mcp/result-invalid', pointer: '/a/b' };

  test.each([
    ['a member twice', 'application/json', ['{"a":{"b":1,', '"b":2}}']],
    ['a member twice, once escaped', 'application/json', ['{"a":{"b":1,"\\u0062":2}}']],
    ['a member twice in an event', 'text/event-stream', ['data: {"a":{"b":1,', '"b":2}}\n', '\n']],
    [
      'a member twice in an event of many lines',
      'text/event-stream',
      ['data: {"a":{"b":1,\ndata: "b":2}}\r\r'],
    ],
  ])('with %s fails, and somebody is told where', async (_what, type, pieces) => {
    const { response, told } = await fetched(pieces, type);
    expect(await rejection(response.text())).toMatchObject(ambiguous);
    expect(told).toMatchObject([ambiguous]);
  });

  test('does not fail what came before it', async () => {
    const { response } = await fetched(['data: {"a":1}\n\n', 'data: {"a":1,"a":2}\n\n'], 'text/event-stream');
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: {"a":1}\n\n');
  });

  test.each(['{"a":"\\ud800"}', '{"a":12345678901234567890}', 'no json', ''])(
    'is not one with another fault: %s',
    async (text) => {
      const { response } = await fetched([text], 'application/json');
      expect(await response.text()).toBe(text);
    },
  );
});
