import type { AvailabilityPolicy } from '../policy/availability.ts';
import { toAvailabilityError } from './check-availability.ts';
import { followSignal } from './follow-signal.ts';
import type { GateCore } from './gate-core.ts';
import { isThenable } from './is-thenable.ts';

/**
 * Asks the availability policy of each named tool once, in order of declaration.
 *
 * @returns The names that are not available.
 * @throws {@link GateError} `gate/availability` when one cannot decide: the first one in order of declaration. The reason
 * of the signal, when it is aborted meanwhile.
 */
export async function askAllAvailable<Context>(
  core: GateCore<Context>,
  names: readonly string[],
  context: Context,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const denied = new Set<string>();
  const waiting: Promise<unknown>[] = [];
  for (const name of names) {
    const available = core.entries.get(name)?.available;
    if (available === undefined) continue;
    const answer = ask(available, context);
    if (!isThenable(answer)) {
      if (!answer) denied.add(name);
      continue;
    }
    const later = answer.then((permitted) => {
      if (!permitted) denied.add(name);
    });
    // Looked at below, in order; one that fails early is no unhandled rejection.
    later.then(undefined, () => {});
    waiting.push(later);
  }
  if (waiting.length > 0) await bounded(core, waiting, signal);
  return denied;
}

function ask<Context>(available: AvailabilityPolicy<Context>, context: Context): boolean | Promise<boolean> {
  try {
    return available(context);
  } catch (thrown) {
    throw toAvailabilityError(thrown);
  }
}

function bounded<Context>(
  core: GateCore<Context>,
  waiting: readonly Promise<unknown>[],
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { deadlines, patience } = core;
    const onAbort = (): void => stop(() => reject(signal?.reason));
    const onDeadline = (): void => stop(() => reject(toAvailabilityError(undefined)));
    const unfollow = signal && followSignal(signal, onAbort);
    const deadline = patience && deadlines.start(patience, { onDeadline }, deadlines.elapsed());
    const stop = (settle: () => void): void => {
      unfollow?.();
      if (deadline !== undefined) deadlines.stop(deadline);
      settle();
    };
    inOrder(waiting).then(
      () => stop(resolve),
      (thrown: unknown) => stop(() => reject(toAvailabilityError(thrown))),
    );
  });
}

async function inOrder(waiting: readonly Promise<unknown>[]): Promise<void> {
  for (const answer of waiting) await answer;
}
