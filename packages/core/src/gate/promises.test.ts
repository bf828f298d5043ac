import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import { call } from '../../test-support/timed-gate.ts';
import { textOutput } from '../tool/make-output.ts';
import type { Tool } from '../tool/tool.ts';
import { createGate } from './create-gate.ts';

describe('what a tool may do with promises', () => {
  const bare = (execute: Tool['call']): Tool => ({
    definition: () => ({ name: 't', description: '', inputSchema: { type: 'object' } }),
    profile: { class: 'read', timeoutMs: 100 },
    call: execute,
  });
  const output = textOutput('done');
  const hostile = (members: object): Promise<never> => members as Promise<never>;

  test.each<[string, () => unknown, string]>([
    ['returns its result without a promise', () => output, 'completed'],
    [
      'throws at once',
      () => {
        throw new Error('x');
      },
      'handler_error',
    ],
    [
      'returns a thenable',
      () => hostile({ then: (resolve: (value: unknown) => void) => resolve(output) }),
      'completed',
    ],
    [
      'returns a thenable that settles twice',
      () =>
        hostile({
          then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
            resolve(output);
            reject(1);
            resolve(2);
            throw 3;
          },
        }),
      'completed',
    ],
    [
      'returns a thenable that throws',
      () =>
        hostile({
          then: () => {
            throw new Error('x');
          },
        }),
      'handler_error',
    ],
    [
      'returns a thenable whose then cannot be read',
      () =>
        hostile({
          get then() {
            throw new Error('x');
          },
        }),
      'handler_error',
    ],
    ['returns a thenable that never settles', () => hostile({ then: () => {} }), 'deadline_exceeded'],
    [
      'returns a promise with a then of its own that throws',
      () =>
        Object.assign(Promise.resolve(output), {
          then: () => {
            throw new Error('x');
          },
        }),
      'handler_error',
    ],
    [
      'returns a promise with a then of its own that settles twice',
      () =>
        Object.assign(Promise.resolve(output), {
          then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
            resolve(output);
            resolve(output);
            reject(1);
          },
        }),
      'completed',
    ],
    ['rejects with undefined', () => Promise.reject(undefined), 'handler_error'],
    ['gives nothing', () => undefined, 'output_invalid'],
    [
      'gives something that only looks like a result',
      () => ({ kind: 'tool-output', parts: [] }),
      'output_invalid',
    ],
    [
      'gives a proxy that throws',
      () =>
        new Proxy(
          {},
          {
            get: () => {
              throw new Error('x');
            },
            has: () => {
              throw new Error('x');
            },
          },
        ),
      'handler_error',
    ],
  ])('a tool that %s has one outcome', async (_name, execute, reason) => {
    const clock = createFakeClock();
    const session = await createGate({ tools: [bare(execute as Tool['call'])], clock }).open();
    const outcome = session.execute(call());
    await clock.advance(0);
    await clock.advance(100);
    expect((await outcome).reason).toBe(reason);
    await session.close();
  });
});
