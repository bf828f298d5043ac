import { getEventListeners } from 'node:events';
import { createRedactor } from '@toolgate/core';
import { createFakeClock } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import type { CompletedCall } from './completed-call.ts';
import type { CheckedControlProvider, ControlMeta, ControlOutcome } from './control-tool-provider.ts';
import { type HandlerFault, type RunHandlerOptions, runHandler } from './run-handler.ts';
import { validateProvider } from './validate-provider.ts';

type Handle = CheckedControlProvider['handle'];

const call: CompletedCall = { toolCallId: 'c', toolName: 'finish', argsJson: '{}' };
const meta: ControlMeta = { attemptSeq: 0 };
const complete: ControlOutcome = { kind: 'complete', reasonCode: 'ok', resultText: 'done' };

const provider = (handle: Handle): CheckedControlProvider =>
  validateProvider({
    id: () => 'p',
    spec: () => ({
      tool: { name: 'finish', parameters: { type: 'object' } },
      instruction: { role: 'system', text: 'Call finish.' },
      maxArgsBytes: 16,
    }),
    handle,
  });

/** A handler that waits, and can be answered from outside. */
const waiting = () => {
  let answer: (outcome: ControlOutcome) => void = () => {};
  let refuse: (cause: unknown) => void = () => {};
  const signals: AbortSignal[] = [];
  const handle: Handle = (_, __, { signal }) => {
    signals.push(signal);
    return new Promise((resolve, reject) => {
      answer = resolve;
      refuse = reject;
    });
  };
  return {
    handle,
    signals,
    answer: (outcome: ControlOutcome) => answer(outcome),
    refuse: (cause: unknown) => refuse(cause),
  };
};

describe('a handler', () => {
  test('gets values: the call and its provenance, copied and frozen', async () => {
    const seen: unknown[] = [];
    const handle: Handle = (given, from) => {
      seen.push(given, from);
      return complete;
    };
    expect(await runHandler(provider(handle), call, meta)).toEqual({ kind: 'settled', outcome: complete });
    expect(seen).toEqual([call, { attemptSeq: 0, ordinaryCalls: 0 }]);
    expect(seen[0]).not.toBe(call);
    expect(seen.every(Object.isFrozen)).toBe(true);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('sk-planted-secret')), 'handler_error'],
    [
      'throws at once',
      () => {
        throw new Error('sk-planted-secret');
      },
      'handler_error',
    ],
    ['rejects with nothing', () => Promise.reject(), 'handler_error'],
    ['answers with nothing', () => Promise.resolve(undefined), 'outcome_invalid'],
    ['answers with an unknown kind', () => ({ kind: 'maybe', reasonCode: 'r' }), 'outcome_invalid'],
    ['answers without a text', () => ({ kind: 'complete', reasonCode: 'r' }), 'outcome_invalid'],
    ['answers an invalid one with a text', () => ({ reasonCode: 'r', resultText: 'x' }), 'outcome_invalid'],
    [
      'answers with a throwing getter',
      () => ({
        get kind() {
          throw new Error('sk-planted-secret');
        },
      }),
      'outcome_invalid',
    ],
  ])('66 that %s fails the response, and nothing of it is in the result', async (_, handle, reason) => {
    const faults: HandlerFault[] = [];
    const report = (fault: HandlerFault): void => {
      faults.push(fault);
    };
    const result = await runHandler(provider(handle as unknown as Handle), call, meta, { report });
    expect(result).toEqual({ kind: 'failed', reason });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(faults.map((fault) => fault.reason)).toEqual([reason]);
  });

  test('67 that answers after the end of its attempt is dropped, however it answers', async () => {
    for (const late of ['answer', 'refuse'] as const) {
      const held = waiting();
      const faults: HandlerFault[] = [];
      const attempt = new AbortController();
      const running = runHandler(provider(held.handle), call, meta, {
        signal: attempt.signal,
        report: (fault) => faults.push(fault),
      });
      attempt.abort();
      expect(await running).toEqual({ kind: 'dropped' });
      expect(held.signals[0]?.aborted).toBe(true);
      if (late === 'answer') held.answer(complete);
      else held.refuse(new Error('late'));
      await Promise.resolve();
      expect(faults).toEqual([]);
    }
  });

  test('is not called when its attempt is over already', async () => {
    let calls = 0;
    const handle: Handle = () => {
      calls += 1;
      return complete;
    };
    expect(await runHandler(provider(handle), call, meta, { signal: AbortSignal.abort() })).toEqual({
      kind: 'dropped',
    });
    expect(calls).toBe(0);
  });

  test('has ten seconds, is told when they are over, and its late answer counts for nothing', async () => {
    const held = waiting();
    const clock = createFakeClock();
    const faults: HandlerFault[] = [];
    const running = runHandler(provider(held.handle), call, meta, {
      clock,
      report: (fault) => faults.push(fault),
    });
    await clock.advance(9_999);
    expect(held.signals[0]?.aborted).toBe(false);
    await clock.advance(1);
    expect(await running).toEqual({ kind: 'failed', reason: 'handler_timeout' });
    expect(held.signals[0]?.aborted).toBe(true);
    held.refuse(new Error('late'));
    await clock.advance(1);
    expect(faults).toEqual([{ reason: 'handler_timeout', cause: undefined }]);
  });

  test('leaves no timer and no listener behind', async () => {
    const clock = createFakeClock();
    const attempt = new AbortController();
    await runHandler(
      provider(() => complete),
      call,
      meta,
      { clock, signal: attempt.signal },
    );
    expect(clock.pending).toBe(0);
    expect(getEventListeners(attempt.signal, 'abort')).toEqual([]);
    const endless = runHandler(provider(waiting().handle), call, meta, { clock, timeoutMs: 'none' });
    expect(clock.pending).toBe(0);
    expect(endless).toBeInstanceOf(Promise);
  });

  test('has no secrets in its published result', async () => {
    const redact = createRedactor({ secrets: ['hunter2-hunter2'] });
    const handle: Handle = () => ({ ...complete, resultText: 'the key is hunter2-hunter2' });
    expect(await runHandler(provider(handle), call, meta, { redact })).toEqual({
      kind: 'settled',
      outcome: { ...complete, resultText: 'the key is [redacted]' },
    });
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['leaves nothing', () => ({ text: ' ', count: 1 })],
  ])('fails when a redactor %s', async (_, redact) => {
    expect(
      await runHandler(
        provider(() => complete),
        call,
        meta,
        { redact },
      ),
    ).toEqual({ kind: 'failed', reason: 'outcome_invalid' });
  });

  test('is not redacted where it says nothing', async () => {
    const redact = (): never => {
      throw new Error('no');
    };
    const handle: Handle = () => ({ kind: 'invalid', reasonCode: 'r' });
    expect(await runHandler(provider(handle), call, meta, { redact })).toEqual({
      kind: 'settled',
      outcome: { kind: 'invalid', reasonCode: 'r' },
    });
  });

  test('fails in the same way when who listens for faults throws', async () => {
    const report = (): never => {
      throw new Error('no');
    };
    expect(
      await runHandler(
        provider(() => {
          throw new Error('x');
        }),
        call,
        meta,
        { report },
      ),
    ).toEqual({ kind: 'failed', reason: 'handler_error' });
  });

  test.each<[string, CompletedCall, ControlMeta, RunHandlerOptions, string]>([
    [
      'arguments over the budget',
      { ...call, argsJson: '"0123456789abcdef"' },
      meta,
      {},
      'control/call-invalid',
    ],
    ['a wrong attempt', call, { attemptSeq: -1 }, {}, 'control/meta-invalid'],
    ['a timeout of 0', call, meta, { timeoutMs: 0 }, 'control/options-invalid'],
    ['a timeout no timer has', call, meta, { timeoutMs: 2_147_483_648 }, 'control/options-invalid'],
  ])('is not called with %s', async (_, given, from, options, code) => {
    let calls = 0;
    const handle: Handle = () => {
      calls += 1;
      return complete;
    };
    await expect(runHandler(provider(handle), given, from, options)).rejects.toMatchObject({ code });
    expect(calls).toBe(0);
  });
});
