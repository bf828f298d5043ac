import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createScope } from '../policy/scope.ts';
import { defineTool } from '../tool/define-tool.ts';
import type { CallContext, ToolProgress } from '../tool/tool.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';

/** A gate with one external tool, so that calls overlap. */
function gateWith(execute: (call: CallContext) => unknown, config: Partial<GateConfig> = {}) {
  const tool = defineTool({
    name: 't',
    description: '',
    input: { type: 'object' },
    profile: { class: 'external' },
    execute: (_input, call) => execute(call),
  });
  return createGate({ tools: [tool], ...config });
}

const call = (id: string) => ({ id, name: 't', arguments: '{}' });

/** Settles with the reason of the signal. */
const untilAborted = ({ signal }: CallContext): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const listening = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('the signal of one call', () => {
  test('cancels that call and leaves its sibling and the session alone', async () => {
    const seen: CallContext[] = [];
    const session = await gateWith(async (context) => {
      seen.push(context);
      return context.callId === 'a' ? untilAborted(context) : 'done';
    }).open();
    const controller = new AbortController();
    const first = session.execute(call('a'), { signal: controller.signal });
    controller.abort(new Error('not wanted'));
    expect((await first).reason).toBe('cancelled_after_dispatch');
    expect(seen[0]?.signal.aborted).toBe(true);
    expect((await session.execute(call('b'))).kind).toBe('completed');
    await session.close();
  });

  test('starts nothing when it is aborted already', async () => {
    let runs = 0;
    const session = await gateWith(() => {
      runs += 1;
    }).open();
    const outcome = await session.execute(call('a'), { signal: AbortSignal.abort() });
    expect([outcome.reason, runs]).toEqual(['not_started', 0]);
    await session.close();
  });

  test('stops a call that awaits a decision, and tells the approver', async () => {
    let told: AbortSignal | undefined;
    const scope = createScope({
      approvalThreshold: 'external',
      approve: (_request, { signal }) => {
        told = signal;
        return new Promise(() => {});
      },
    });
    const session = await gateWith(() => 'ran', { scope }).open();
    const controller = new AbortController();
    const pending = session.execute(call('a'), { signal: controller.signal });
    controller.abort();
    expect([(await pending).reason, told?.aborted]).toEqual(['not_started', true]);
    await session.close();
  });

  test('counts when the handler aborts it in its first step', async () => {
    const controller = new AbortController();
    const session = await gateWith((context) => {
      controller.abort();
      return untilAborted(context);
    }).open();
    const { reason } = await session.execute(call('a'), { signal: controller.signal });
    expect(reason).toBe('cancelled_after_dispatch');
    await session.close();
  });

  test('keeps a result that came before it, and is not listened to any more', async () => {
    const controller = new AbortController();
    const session = await gateWith(() => 'kept').open();
    const outcome = await session.execute(call('a'), { signal: controller.signal });
    controller.abort();
    expect(outcome.kind).toBe('completed');
    await session.close();
  });

  test('of a whole turn has one listener, whoever ends first, and cancels all that still run', async () => {
    const session = await gateWith(
      (context) => ((context.callId ?? '') < 'c20' ? 'done' : untilAborted(context)),
      {
        concurrency: 100,
      },
    ).open();
    const controller = new AbortController();
    const { signal } = controller;
    const ids = Array.from({ length: 40 }, (_, index) => `c${10 + index}`);
    const outcomes = Promise.all(ids.map((id) => session.execute(call(id), { signal })));
    await Promise.resolve();
    expect(listening(signal)).toBe(1);
    // A call with a signal of its own does not part the others from theirs.
    const other = new AbortController();
    const single = session.execute(call('z'), { signal: other.signal });
    const late = session.execute(call('c99'), { signal });
    controller.abort();
    expect(new Set((await outcomes).slice(10).map(({ reason }) => reason))).toEqual(
      new Set(['cancelled_after_dispatch']),
    );
    expect((await late).reason).toBe('cancelled_after_dispatch');
    other.abort();
    expect((await single).reason).toBe('cancelled_after_dispatch');
    expect([listening(signal), listening(other.signal)]).toEqual([0, 0]);
    await session.close();
  });
});

describe('the progress of one call', () => {
  test('goes to who executes it, with its text, although events carry none', async () => {
    const events: unknown[] = [];
    const session = await gateWith(
      ({ progress }) => {
        progress?.({ progress: 1, total: 2, message: 'half' });
        progress?.({ progress: Number.NaN });
      },
      { observe: (event) => event.kind === 'call-progress' && events.push(event) },
    ).open();
    const updates: ToolProgress[] = [];
    await session.execute(call('a'), { progress: (update) => updates.push(update) });
    expect(updates).toEqual([{ progress: 1, total: 2, message: 'half' }]);
    expect(events).toEqual([expect.not.objectContaining({ message: 'half' })]);
    await session.close();
  });

  test('is offered to a handler that nobody else observes, and to no other one', async () => {
    const offered: boolean[] = [];
    const session = await gateWith(({ progress }) => offered.push(progress !== undefined)).open();
    await session.execute(call('a'), { progress: () => {} });
    await session.execute(call('b'));
    expect(offered).toEqual([true, false]);
    await session.close();
  });

  test('does not reach the handler when the listener throws or rejects', async () => {
    const session = await gateWith(({ progress }) => {
      progress?.({ progress: 1 });
      return 'done';
    }).open();
    const hostile: readonly (() => void)[] = [
      () => {
        throw new Error('x');
      },
      (() => Promise.reject(new Error('x'))) as () => void,
    ];
    for (const progress of hostile) {
      expect((await session.execute(call('a'), { progress })).kind).toBe('completed');
    }
    await session.close();
  });
});

test.each([
  ['signal', { signal: {} }],
  ['signal', { signal: null }],
  ['progress', { progress: 1 }],
  ['another', { timeout: 1 }],
])('a call with a wrong %s is misuse, not an outcome', async (_name, options) => {
  const session = await gateWith(() => 'ran').open();
  await expect(session.execute(call('a'), options as never)).rejects.toMatchObject({
    code: 'gate/options-invalid',
  });
  await session.close();
});
