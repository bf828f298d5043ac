import { type Clock, ignoreThrown, type JsonValue, MAX_TIMER_MS } from '@toolgate/core';
import type { Handler, HandlerContext, Step, StepOutcome } from './port.ts';

/**
 * Runs one attempt of a step and says how it ended; never throws. A throw is `failed` with a fixed text: what a
 * handler's error says is its own affair. Out of time is `in-doubt` for a step that may have had an effect.
 */
export async function runHandler(
  handler: Handler | undefined,
  step: Step,
  context: HandlerContext,
  clock: Clock,
): Promise<StepOutcome> {
  if (handler === undefined) {
    return {
      kind: 'failed',
      error: { code: 'durable/operation-unknown', message: 'no handler is registered for the operation' },
    };
  }
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(context.signal.reason);
  if (context.signal.aborted) onAbort();
  else context.signal.addEventListener('abort', onAbort, { once: true });

  let timer: unknown;
  const expiry =
    step.timeoutMs === 'none'
      ? undefined
      : new Promise<StepOutcome>((resolve) => {
          timer = clock.setTimer(
            () => {
              resolve(
                step.effect === 'once'
                  ? { kind: 'in-doubt' }
                  : {
                      kind: 'failed',
                      error: { code: 'durable/timeout', message: 'the step did not end in time' },
                    },
              );
              controller.abort();
            },
            Math.min(Number(step.timeoutMs), MAX_TIMER_MS),
          );
        });
  const work = attempt(handler, step.input, { ...context, signal: controller.signal });
  try {
    return await (expiry === undefined ? work : Promise.race([work, expiry]));
  } finally {
    if (timer !== undefined) clock.clearTimer(timer);
    context.signal.removeEventListener('abort', onAbort);
  }
}

async function attempt(handler: Handler, input: JsonValue, context: HandlerContext): Promise<StepOutcome> {
  try {
    return { kind: 'ok', value: await handler(input, context) };
  } catch (thrown) {
    ignoreThrown(thrown);
    return { kind: 'failed', error: { code: 'durable/handler-error', message: 'the handler threw' } };
  }
}
