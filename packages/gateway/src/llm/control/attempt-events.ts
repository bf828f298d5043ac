import type { ModelEvent } from '@toolgate/model';
import type { Exchange } from '../../upstream/exchange.ts';
import type { UpstreamFailure } from '../../upstream/upstream-failure.ts';
import type { AttemptHandler } from '../answer/attempt.ts';

/** Events that may wait for whoever reads them. */
const MAX_WAITING = 256;

/** Carries a failure through code that knows errors only; it never leaves this folder. */
export class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';
  readonly failure: UpstreamFailure;

  constructor(failure: UpstreamFailure) {
    super('The attempt failed.');
    this.failure = failure;
  }
}

/**
 * The events of one attempt as they are asked for. Reading no further holds the provider back; ending it early ends the
 * exchange.
 *
 * @throws AttemptFailed when there is no answer.
 */
export async function* attemptEvents(
  start: (handler: AttemptHandler) => Exchange,
): AsyncGenerator<ModelEvent, void, undefined> {
  let waiting: ModelEvent[] = [];
  let failure: UpstreamFailure | undefined;
  let ended = false;
  let wake: () => void = () => undefined;

  const exchange = start({
    step({ events }) {
      waiting.push(...events);
      ended ||= events.some(({ kind }) => kind === 'response-end' || kind === 'response-error');
      wake();
    },
    failed(given) {
      failure = given;
      ended = true;
      wake();
    },
    settled() {
      if (waiting.length > MAX_WAITING) exchange.pause();
    },
  });
  try {
    for (;;) {
      const events = waiting;
      waiting = [];
      exchange.resume();
      yield* events;
      if (failure !== undefined) throw new AttemptFailed(failure);
      if (waiting.length > 0) continue;
      if (ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    if (!ended) exchange.abort();
  }
}
