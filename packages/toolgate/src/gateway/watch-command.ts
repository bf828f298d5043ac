import { setTimeout as pause } from 'node:timers/promises';
import { isJsonObject, JsonError, type JsonObject, readJson } from '@toolgate/core';
import { createSseParser, type SseMessage } from '@toolgate/model';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint } from '../terminal/paint.ts';
import { type AdminClient, createAdminClient } from './admin-client.ts';
import { approvalLine } from './approval-fields.ts';
import { itemsOf } from './fields.ts';
import type { AdminOptions } from './keys-command.ts';
import { listPages } from './list-pages.ts';

const RETRY_MS = 1_000;
/** The gateway says something every fifteen seconds. */
const SILENCE_MS = 60_000;
const MAX_EVENT_LENGTH = 4 * 1024 * 1024;
const MAX_PENDING = 5_000;

/**
 * Shows what waits, and every change of any approval from now on, one in each line, until a signal comes. A connection
 * that breaks is opened again, and goes on behind the last change that was seen.
 */
export async function watchApprovals(options: AdminOptions, io: CliIo): Promise<number> {
  const client = await createAdminClient(options, io);
  const paint = createPaint(io.stdout, io.env);
  const show = async (approvals: readonly JsonObject[]): Promise<void> => {
    for (const approval of approvals)
      await io.stdout.write(`${options.json ? jsonText(approval) : approvalLine(approval, paint)}\n`);
  };
  let last = '';
  for (let connected = false; ; ) {
    try {
      const headers: Readonly<Record<string, string>> = last === '' ? {} : { 'last-event-id': last };
      const pieces = await client.open('api/approvals/events', 'text/event-stream', {
        headers,
        silenceMs: SILENCE_MS,
      });
      connected = true;
      for await (const message of messagesOf(pieces)) {
        await show(await approvalsOf(message, client, io));
        if (message.id !== '') last = message.id;
      }
    } catch (error) {
      io.signal.throwIfAborted();
      // Before the first connection it is more likely a wrong address than a gateway that comes back.
      if (!connected || !CliError.is(error) || error.code !== 'cli/gateway-unreachable') throw error;
    }
    await pause(RETRY_MS, undefined, { signal: io.signal });
  }
}

async function* messagesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<SseMessage> {
  const parser = createSseParser({ maxEventLength: MAX_EVENT_LENGTH });
  for await (const piece of pieces) {
    for (const item of parser.push(piece)) {
      if (item.kind === 'fault')
        throw new CliError('cli/gateway-invalid', `The events cannot be read (${item.code}).`);
      yield item;
    }
  }
}

/** What an event tells of. After a `reset` changes were left out, and the list says what waits now. */
async function approvalsOf(
  { data, event }: SseMessage,
  client: AdminClient,
  io: CliIo,
): Promise<readonly JsonObject[]> {
  if (event === 'reset') return listPending(client, io);
  const value = readData(data);
  // A snapshot holds the newest; where there are more it says where they begin.
  if (event === 'snapshot') return value['cursor'] === undefined ? itemsOf(value) : listPending(client, io);
  return event === 'approval' ? [value] : [];
}

async function listPending(client: AdminClient, io: CliIo): Promise<readonly JsonObject[]> {
  const { items, more } = await listPages(client, 'api/approvals', { status: 'pending' }, MAX_PENDING);
  if (more)
    await io.stderr.write(
      `More than ${MAX_PENDING} wait, and the oldest are not shown; "toolgate approvals list --limit" shows them.\n`,
    );
  return items;
}

function readData(data: string): JsonObject {
  try {
    const value = readJson(data, { maxBytes: 4 * MAX_EVENT_LENGTH });
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!JsonError.is(error)) throw error;
  }
  throw new CliError('cli/gateway-invalid', 'An event of the gateway cannot be read.');
}
