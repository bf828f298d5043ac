import type { ModelEvent } from '@toolgate/model';
import { ControlledFlow, type ControlledRunConfig, project } from '../src/index.ts';

/** `runControlled`, with attempts that push their events whether anybody asks for more or not. */
export function pushControlled(config: ControlledRunConfig): AsyncIterable<ModelEvent> {
  const { call, capabilities, open, provider, signal } = config;
  const plain = { attemptSeq: 0, repair: false, edits: [], signal } as const;
  if (provider === undefined) return open(call, { ...plain, projection: undefined });
  const projected = project(call, provider.spec, capabilities);
  if (!projected.projection.active) return open(call, { ...plain, projection: projected.projection });
  const queue: ModelEvent[] = [];
  let wake: () => void = () => undefined;
  const flow = new ControlledFlow(
    { ...config, provider, handler: { ...config.handler, signal } },
    projected,
    (event) => {
      queue.push(event);
      wake();
    },
  );
  return read(queue, drive(flow, config), flow, (next) => {
    wake = next;
  });
}

/** Opens and pushes until there is nothing more to open. */
async function drive(flow: ControlledFlow, { open, signal }: ControlledRunConfig): Promise<void> {
  for (;;) {
    let broken: { readonly error: unknown } | undefined;
    try {
      const { call, attempt } = flow.open();
      for await (const event of open(call, { ...attempt, signal })) flow.push(event);
    } catch (error) {
      broken = { error };
    }
    if ((await (broken === undefined ? flow.end() : flow.fail(broken.error))) === 'end') return;
  }
}

async function* read(
  queue: ModelEvent[],
  driven: Promise<void>,
  flow: ControlledFlow,
  onWait: (wake: () => void) => void,
): AsyncGenerator<ModelEvent> {
  let over: { readonly error?: unknown } | undefined;
  let wake: () => void = () => undefined;
  onWait(() => wake());
  void driven.then(
    () => {
      over = {};
      wake();
    },
    (error: unknown) => {
      over = { error };
      wake();
    },
  );
  try {
    for (;;) {
      for (const event of queue.splice(0)) yield event;
      if (queue.length > 0) continue;
      if (over !== undefined && 'error' in over) throw over.error;
      if (over !== undefined) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    flow.stop();
  }
}
