import { ignoreThrown } from '@toolgate/core';
import type { DurableRun, Handlers, Step, StepOutcome } from '../durable/port.ts';

/**
 * Runs the steps of a loop where it stands, without a journal: what is lost with the process is lost. A run that waits
 * is suspended instead, so `wait` and `sleep` are never asked for.
 */
export function createDirectRun(config: {
  readonly runId: string;
  readonly loopVersion: number;
  readonly handlers: Handlers;
  readonly signal: AbortSignal;
  readonly emit: DurableRun['emit'];
}): DurableRun {
  const { runId, loopVersion, handlers, signal, emit } = config;
  const call = async ({ op, name, input }: Step): Promise<StepOutcome> => {
    const handler = handlers[op];
    if (handler === undefined) return failed('durable/operation-unknown', 'no handler for the operation');
    try {
      return {
        kind: 'ok',
        value: await handler(input, { key: `${runId}/${name}`, runId, attempt: 1, signal }),
      };
    } catch (thrown) {
      ignoreThrown(thrown);
      return failed('durable/handler-error', 'the handler threw');
    }
  };
  const refuse = (): Promise<never> =>
    Promise.reject(new Error('a direct run neither waits nor reads a clock'));
  return {
    runId,
    loopVersion,
    call,
    all: (steps) => Promise.all(steps.map(call)),
    wait: refuse,
    sleep: refuse,
    now: refuse,
    uuid: refuse,
    emit,
  };
}

function failed(code: string, message: string): StepOutcome {
  return { kind: 'failed', error: { code, message } };
}
