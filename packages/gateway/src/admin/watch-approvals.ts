import type { ServerResponse } from 'node:http';
import type { Clock } from '@toolgate/core';
import { writeSseMessage } from '@toolgate/model';
import { createClientStream } from '../http/client-stream.ts';
import { createTurnWrites } from '../http/turn-writes.ts';
import type { ApprovalRecord, ApprovalStore } from '../ports/approval-store.ts';
import { summaryOf } from './approval-endpoints.ts';

/** What a watch is made of. */
export interface WatchOptions {
  readonly approvals: Pick<ApprovalStore, 'subscribe' | 'list'>;
  readonly response: ServerResponse;
  readonly clock: Clock;
  readonly requestId: string;
  /** The last revision that anything was given by now. */
  readonly position: () => Promise<number>;
  /** What the client saw last, from `Last-Event-ID`. */
  readonly after: number | undefined;
  /** Hears of what could not be read; the stream ends then. */
  readonly onError: (error: unknown) => void;
}

const KEEP_ALIVE_MS = 15_000;
const STUCK_MS = 60_000;
const SNAPSHOT_SIZE = 500;
/** What may wait for one client: many changes come at once when a client comes back, and one that reads gets all of them. */
const MAX_BEHIND_BYTES = 524_288;

/**
 * Streams the changes of approvals to one client until it leaves: `snapshot` with what is pending, unless the client
 * says what it saw last; then `approval` for each change. A client that falls behind is not given more than half a megabyte:
 * when it takes again it is told `reset`, reads the list, and goes on from there.
 */
export async function watchApprovals(options: WatchOptions): Promise<void> {
  const { approvals, clock, requestId, response } = options;
  const stream = createClientStream(response, {
    clock,
    turns: createTurnWrites(),
    keepAliveMs: KEEP_ALIVE_MS,
    stuckMs: STUCK_MS,
    head: () => ({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // A proxy that collects what it passes on would keep each change back.
      'x-accel-buffering': 'no',
      'x-request-id': requestId,
    }),
  });
  stream.start();
  const fail = (error: unknown): void => {
    options.onError(error);
    stream.destroy();
  };
  const position = await options.position().catch(fail);
  if (position === undefined || response.destroyed) return;
  // Nobody has seen what is still to come: it was another database.
  const after = options.after !== undefined && options.after <= position ? options.after : undefined;
  let missed = false;
  /** Changes while the snapshot is read; they come behind it. */
  let held: ApprovalRecord[] | undefined = after === undefined ? [] : undefined;

  const send = (record: ApprovalRecord): void => {
    if (stream.full && response.writableLength >= MAX_BEHIND_BYTES) missed = true;
    else stream.write(eventOf('approval', summaryOf(record), record.revision));
  };
  const unsubscribe = approvals.subscribe((record) => {
    if (held === undefined) send(record);
    else if (held.length < SNAPSHOT_SIZE) held.push(record);
    else missed = true;
  }, after ?? position);
  response.once('close', unsubscribe);
  const tellMissed = (): void => {
    if (!missed) return;
    missed = false;
    stream.write(eventOf('reset', {}));
  };
  stream.onDrain(tellMissed);
  if (held === undefined) return;
  try {
    const { items, ...page } = await approvals.list(
      { status: 'pending' },
      { limit: SNAPSHOT_SIZE, contents: false },
    );
    // Whoever comes back after it, before anything has changed, goes on from there.
    stream.write(eventOf('snapshot', { ...page, items: items.map(summaryOf) }, position));
    const waiting = held;
    held = undefined;
    for (const record of waiting) send(record);
    if (!stream.full) tellMissed();
  } catch (error) {
    fail(error);
  }
}

function eventOf(event: string, data: unknown, id?: number): string {
  return writeSseMessage({
    event,
    data: JSON.stringify(data),
    ...(id === undefined ? {} : { id: String(id) }),
  });
}
