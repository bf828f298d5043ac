import type {
  Generation,
  Generations,
  GenerationsOptions,
  Lease,
  ReloadResult,
} from '../config/generations.ts';
import { GatewayError } from '../ports/gateway-error.ts';

interface Slot<Content> extends Generation<Content> {
  leases: number;
  retired: boolean;
  /** Settles when it was taken down. */
  readonly down: Promise<void>;
  readonly takeDown: () => void;
}

/** Builds the first generation and holds it, and those that come after it. */
export async function holdGenerations<Source, Content>(
  first: Source,
  { build, onError, retire }: GenerationsOptions<Source, Content>,
): Promise<Generations<Source, Content>> {
  let number = 1;
  let current = toSlot(await build(first, number), number);
  let closing: Promise<void> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const alive = new Set<Slot<Content>>([current]);

  function toSlot(content: Content, of: number): Slot<Content> {
    let settle: () => void = () => undefined;
    const down = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const slot: Slot<Content> = {
      number: of,
      content,
      leases: 0,
      retired: false,
      down,
      takeDown: () => {
        retire(content)
          .catch((error: unknown) => onError?.(error))
          .finally(() => {
            alive.delete(slot);
            settle();
          });
      },
    };
    return slot;
  }
  const release = (slot: Slot<Content>): void => {
    slot.leases -= 1;
    if (slot.retired && slot.leases === 0) slot.takeDown();
  };
  const leave = (slot: Slot<Content>): void => {
    slot.retired = true;
    if (slot.leases === 0) slot.takeDown();
  };
  const swap = async (source: Source): Promise<ReloadResult> => {
    if (closing !== undefined) {
      const error = new GatewayError('gateway/closed', 'The gateway is closed.');
      return { kind: 'refused', number: current.number, error };
    }
    try {
      const content = await build(source, number + 1);
      number += 1;
      const before = current;
      current = toSlot(content, number);
      alive.add(current);
      leave(before);
      return { kind: 'published', number };
    } catch (error) {
      return { kind: 'refused', number: current.number, error };
    }
  };

  return Object.freeze({
    get current() {
      return { number: current.number, content: current.content };
    },
    lease(): Lease<Content> {
      const slot = current;
      slot.leases += 1;
      let held = true;
      return {
        number: slot.number,
        content: slot.content,
        release: () => {
          if (!held) return;
          held = false;
          release(slot);
        },
      };
    },
    reload(source: Source) {
      const result = queue.then(() => swap(source));
      queue = result;
      return result;
    },
    close() {
      closing ??= queue.then(async () => {
        leave(current);
        await Promise.all([...alive].map(({ down }) => down));
      });
      return closing;
    },
  });
}
