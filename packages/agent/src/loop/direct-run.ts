import type { Clock, JsonValue } from '@toolgate/core';
import type { DurableRun, Handlers, Step, StepOutcome } from '../durable/port.ts';
import { runHandler } from '../durable/run-handler.ts';

/**
 * Runs the steps of a loop where it stands, without a journal: what is lost with the process is lost. A run that waits
 * is suspended instead, so `wait` and `sleep` are never asked for.
 */
export function createDirectRun(config: {
  readonly runId: string;
  readonly loopVersion: number;
  readonly handlers: Handlers;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly ids: () => string;
}): DurableRun {
  const { runId, loopVersion, handlers, signal, clock } = config;
  const call = (step: Step): Promise<StepOutcome> =>
    runHandler(handlers[step.op], step, { key: `${runId}/${step.name}`, runId, attempt: 1, signal }, clock);
  return {
    runId,
    loopVersion,
    call,
    all: (steps) => Promise.all(steps.map(call)),
    wait: () => Promise.reject(new Error('a direct run does not wait')),
    sleep: () => Promise.reject(new Error('a direct run does not sleep')),
    now: () => Promise.resolve(clock.now()),
    uuid: () => Promise.resolve(config.ids()),
    emit: (_event: JsonValue) => Promise.resolve(),
  };
}
