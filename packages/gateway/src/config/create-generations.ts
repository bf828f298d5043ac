import { GatewayError } from '../ports/gateway-error.ts';
import type { Generation, Generations, GenerationsOptions, Lease, ReloadResult } from './generations.ts';

interface Held<Content> {
  readonly generation: Generation<Content>;
  users: number;
  replaced: boolean;
}

/**
 * Builds the first generation.
 *
 * @throws What `build` throws: without a first generation there is nothing to go on with.
 */
export async function createGenerations<Source, Content>(
  source: Source,
  options: GenerationsOptions<Source, Content>,
): Promise<Generations<Source, Content>> {
  const { build, retire, onError = () => undefined } = options;
  const retiring = new Set<Promise<void>>();
  const inUse = new Set<Held<Content>>();
  let numbers = 0;
  let closed = false;
  let ended: (() => void) | undefined;

  const make = async (from: Source): Promise<Held<Content>> => {
    numbers += 1;
    const number = numbers;
    const held = {
      generation: Object.freeze({ number, content: await build(from, number) }),
      users: 0,
      replaced: false,
    };
    inUse.add(held);
    return held;
  };
  const retireUnused = (held: Held<Content>): void => {
    if (!held.replaced || held.users > 0 || !inUse.delete(held)) return;
    const done = Promise.resolve()
      .then(async () => retire(held.generation.content))
      .catch(onError)
      .finally(() => {
        retiring.delete(done);
        if (inUse.size === 0 && retiring.size === 0) ended?.();
      });
    retiring.add(done);
  };
  const replace = (held: Held<Content>): void => {
    held.replaced = true;
    retireUnused(held);
  };

  let current = await make(source);
  let reloading: Promise<unknown> = Promise.resolve();

  const reload = async (from: Source): Promise<ReloadResult> => {
    if (closed) throw new GatewayError('gateway/closed', 'The gateway is closing.');
    try {
      const next = await make(from);
      const last = current;
      // A generation that was finished while everything was being closed never serves.
      if (closed) {
        replace(next);
        throw new GatewayError('gateway/closed', 'The gateway is closing.');
      }
      current = next;
      replace(last);
      return Object.freeze({ kind: 'published', number: next.generation.number });
    } catch (error) {
      return Object.freeze({ kind: 'refused' as const, number: current.generation.number, error });
    }
  };

  return Object.freeze({
    get current() {
      return current.generation;
    },
    lease: (): Lease<Content> => {
      const held = current;
      let released = false;
      held.users += 1;
      return {
        number: held.generation.number,
        content: held.generation.content,
        release: () => {
          if (released) return;
          released = true;
          held.users -= 1;
          retireUnused(held);
        },
      };
    },
    reload: async (from: Source) => {
      const result = reloading.then(async () => reload(from));
      reloading = result.catch(() => undefined);
      return result;
    },
    close: async () => {
      closed = true;
      await reloading;
      if (inUse.size === 0 && retiring.size === 0) return;
      await new Promise<void>((resolve) => {
        const before = ended;
        ended = () => {
          before?.();
          resolve();
        };
        if (!current.replaced) replace(current);
      });
    },
  });
}
