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
