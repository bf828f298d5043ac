import { systemClock } from '@toolgate/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completed, leg, runLegs, said } from '../../test-support/legs.ts';
import { pushControlled } from '../../test-support/push-controlled.ts';
import { completionTool } from '../completion/completion-tool.ts';
import { ControlError } from '../control-error.ts';
import type { ControlToolProvider } from '../provider/control-tool-provider.ts';
import { validateProvider } from '../provider/validate-provider.ts';
import type { ControlledRunConfig } from './controlled-run.ts';
import { runControlled } from './run-controlled.ts';

const rejected = (): Promise<never> => Promise.reject(new Error('planted'));

/** A slip for `await`. */
const slip = (): never => {
  throw rejected();
};
/** The same slip where it is waited for. */
const lateSlip = async (): Promise<never> => {
  await Promise.resolve();
  throw rejected();
};
/** A promise that is rejected with one. */
const nested = (): Promise<never> => Promise.reject(Promise.reject(rejected()));

const SLIPS: readonly (readonly [string, () => never])[] = [
  ['throws a promise', slip],
  ['rejects with a promise', lateSlip as () => never],
  ['rejects with a promise that is rejected with one', nested as () => never],
];

const DONE = leg('tool-calls', completed(0, 'Done.'));
const provider = (handle: ControlToolProvider['handle']) => validateProvider({ ...completionTool(), handle });
const FAILED = 'control_handler_failed';

/** How a hook of a run makes its slip, and how the answer ends then: with a finish, or with the code of an error. */
const HOOKS: Readonly<
  Record<string, readonly [(hook: () => never) => Partial<ControlledRunConfig>, string]>
> = {
  'a handler': [(hook) => ({ provider: provider(hook) }), FAILED],
  'a check': [(hook) => ({ provider: validateProvider(completionTool({ check: hook })) }), FAILED],
  'who hears of faults': [
    (hook) => ({ provider: provider(() => 1 as never), handler: { report: hook } }),
    FAILED,
  ],
  'a redactor': [(hook) => ({ handler: { redact: hook } }), FAILED],
  'what stages a result': [(hook) => ({ stage: hook }), FAILED],
  'who observes attempts': [(hook) => ({ observe: hook }), 'stop'],
};

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

const expectQuiet = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled.splice(0)).toEqual([]);
};

describe.each([
  ['asked for', runControlled],
  ['pushed', pushControlled],
])('where events are %s,', (_shell, run) => {
  describe.each(Object.entries(HOOKS))('%s', (_name, [change, ending]) => {
    test.each(SLIPS)('that %s ends no process, and the answer comes to its end', async (_slip, hook) => {
      const { events, thrown } = await runLegs([DONE], change(hook), run);
      const last = events.at(-1);
      expect(thrown).toBeUndefined();
      expect(last?.kind === 'response-error' ? last.code : last?.kind === 'response-end' && last.finish).toBe(
        ending,
      );
      expect(JSON.stringify(events)).not.toContain('planted');
      await expectQuiet();
    });
  });

  test.each<[string, (hook: () => never) => Partial<ControlledRunConfig>]>([
    ['an attempt that cannot be opened', (hook) => ({ open: hook })],
    ['what prepares a call', (hook) => ({ prepare: hook })],
    ['a clock', (hook) => ({ handler: { clock: { ...systemClock, setTimer: hook } } })],
  ])('%s and throws a promise ends no process', async (_name, change) => {
    await runLegs([DONE], change(slip), run);
    await expectQuiet();
  });

  test('an attempt that breaks with a promise is an answer that was cut off', async () => {
    const [start, ...text] = leg('stop', said(0, 'One')).slice(0, -1);
    for (const [, hook] of SLIPS) {
      const open = async function* (): AsyncGenerator<never> {
        yield start as never;
        yield* text as never[];
        await Promise.resolve().then(hook);
      };
      const { events } = await runLegs([], { open }, run);
      expect(events.at(-1)).toMatchObject({ kind: 'response-error', code: 'model/stream-incomplete' });
      await expectQuiet();
    }
  });

  test('a run that is cancelled with a promise ends no process', async () => {
    const controller = new AbortController();
    const handle = (): Promise<never> => {
      controller.abort(nested());
      return new Promise(() => {});
    };
    await runLegs([DONE], { provider: provider(handle), signal: controller.signal }, run);
    await runLegs([DONE], { signal: AbortSignal.abort(nested()) }, run);
    await expectQuiet();
  });
});

test.each(SLIPS)('a provider that %s when it is asked what it is ends no process', async (_slip, hook) => {
  for (const member of ['id', 'spec'])
    expect(() => validateProvider({ ...completionTool(), [member]: hook })).toThrow(ControlError);
  await expectQuiet();
});

test('a provider or an outcome whose members throw a promise ends no process', async () => {
  for (const member of ['id', 'spec', 'handle']) {
    const own = Object.defineProperty({ ...completionTool() }, member, { get: slip });
    expect(() => validateProvider(own)).toThrow(ControlError);
  }
  const outcome = Object.defineProperty({ kind: 'complete' }, 'reasonCode', { get: slip });
  const { events } = await runLegs([DONE], { provider: provider(() => outcome as never) });
  expect(events.at(-1)).toMatchObject({ kind: 'response-error', code: FAILED });
  await expectQuiet();
});
