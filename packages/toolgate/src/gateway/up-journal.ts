import { isJsonObject, type JsonObject, readJson } from '@toolgate/core';
import { type ApprovalRecord, GatewayError, type TrafficEntry } from '@toolgate/gateway';
import type { CliIo, TextSink } from '../terminal/cli-io.ts';
import { countOf } from '../terminal/format-count.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint, type Tone } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { textOf } from './fields.ts';

/** Tells what happens at a gateway while it runs. Nothing waits for it. */
export interface UpJournal {
  /** @param fields - For machines. @param text - For a person. */
  readonly event: (name: string, fields: Readonly<Record<string, unknown>>, text: string) => void;
  readonly request: (entry: TrafficEntry) => void;
  /** A line of the gateway's own log: as it is for machines; a person sees what is wrong. */
  readonly log: (line: string) => void;
  readonly approval: (record: ApprovalRecord) => void;
  /** What must not happen; its text may hold anything, and only `--debug` shows it. */
  readonly defect: (error: unknown) => void;
  /** The same of what the gateway's own log does not know: a fault of storage that nobody waits for. */
  readonly storageFault: (error: unknown) => void;
  /** Settles when all is written. */
  readonly flush: () => Promise<void>;
}

/** Lines that may wait for a slow reader; the others are counted and left out. */
const MAX_WAITING = 1_000;

/** Writes to the output: lines of JSON, or text. */
export function createUpJournal(
  { debug, json }: { readonly json: boolean; readonly debug: boolean },
  io: CliIo,
): UpJournal {
  // What reads the output for machines takes nothing but JSON.
  const out = createQueue(io.stdout, (count) =>
    json
      ? `${jsonText({ time: clock(io.now()), level: 'warn', event: 'lines-left-out', count })}\n`
      : leftOut(count),
  );
  const errors = createQueue(io.stderr, leftOut);
  const paint = createPaint(io.stdout, io.env);
  const clock = (ms: number): string => new Date(ms).toISOString();
  const tell = (at: number, event: string, fields: object, text: string): void => {
    if (json) out.write(`${jsonText({ time: clock(at), level: 'info', event, ...fields })}\n`);
    else if (text !== '') out.write(`${paint('quiet', clock(at).slice(11, 19))}  ${text}\n`);
  };
  const defect = (error: unknown): void => {
    const known = toError(error);
    const stack = debug ? `${known.stack ?? known.message}\n` : '';
    if (json && !debug) return;
    errors.write(`toolgate: defect (${safeText(codeOf(known), 80)})\n${stack}`);
  };
  return {
    event: (name, fields, text) => tell(io.now(), name, fields, text),
    request: ({ at, calls, candidate, durationMs, error, failures, losses, model, status, surface }) => {
      // The log has a line of its own for each.
      if (json) return;
      const words = [
        paint(toneOf(status), String(status)),
        surface,
        safeText(model ?? '', 80),
        ...(failures ?? []).map((failed) =>
          paint('bad', `✗ ${safeText(failed.candidate, 80)} (${safeText(failed.error, 60)})`),
        ),
        candidate === undefined ? '' : `→ ${safeText(candidate, 80)}`,
        `${Math.round(durationMs)} ms`,
        calls === 0 ? '' : countOf(calls, 'call'),
        losses.length === 0 ? '' : countOf(losses.length, 'loss', 'losses'),
        error === undefined ? '' : paint('bad', safeText(error, 60)),
      ];
      tell(at, 'request', {}, words.filter((word) => word !== '').join('  '));
    },
    log: (line) => {
      if (json) return out.write(line);
      const { level, event, time: _time, ...fields } = readLine(line);
      // Whoever asked for a reload, a person or the admin API.
      if (event === 'config-load' && fields['generation'] !== 1)
        return tell(io.now(), '', {}, `configuration ${textOf(fields, 'generation')} serves`);
      if (event === 'config-refuse')
        return tell(
          io.now(),
          '',
          {},
          `${paint('bad', 'the last good configuration goes on:')} ${textOf(fields, 'message', 600)}`,
        );
      if (level !== 'warn' && level !== 'error') return;
      // These are told in words of their own.
      if (event === 'request' || event === 'defect') return;
      const words = Object.entries(fields).map(
        ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      tell(
        io.now(),
        '',
        {},
        `${paint('bad', safeText(typeof event === 'string' ? event : '', 60))}  ${safeText(words.join(' '), 600)}`,
      );
    },
    approval: ({ consumedAt, id, place, principal, status, tool }) => {
      const words =
        status === 'pending'
          ? `${paint('warning', 'waits')}  ${safeText(tool, 64)} for ${safeText(principal ?? 'nobody', 80)}: toolgate approvals show ${id}`
          : `${consumedAt === undefined ? status : 'used'}  ${safeText(tool, 64)}  ${id}`;
      tell(io.now(), 'approval', { id, status, tool, place, principal }, words);
    },
    defect,
    storageFault: (error) => {
      const code = codeOf(toError(error));
      // The text of a foreign error may quote what it was about.
      const message = GatewayError.is(error) ? error.message : undefined;
      if (json)
        out.write(
          `${jsonText({ time: clock(io.now()), level: 'error', event: 'storage-fault', code, message })}\n`,
        );
      defect(error);
    },
    flush: async () => {
      await Promise.all([out.flush(), errors.flush()]);
    },
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('Something that is no error was thrown.');
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** The gateway wrote it. */
function readLine(line: string): JsonObject {
  const value = readJson(line, { maxBytes: 1_048_576 });
  return isJsonObject(value) ? value : {};
}

function toneOf(status: number): Tone {
  return status < 400 ? 'good' : status < 500 ? 'warning' : 'bad';
}

function leftOut(count: number): string {
  return `toolgate: ${countOf(count, 'line')} left out\n`;
}

/** @param leftOut - The line that says how many there is no place for. */
function createQueue(
  sink: TextSink,
  leftOut: (count: number) => string,
): { write(text: string): void; flush(): Promise<void> } {
  let waiting = 0;
  let left = 0;
  let last: Promise<void> = Promise.resolve();
  const put = (text: string): void => {
    waiting += 1;
    // A reader that went away ends the command by the signal.
    last = sink
      .write(text)
      .catch(() => undefined)
      .finally(() => {
        waiting -= 1;
        if (waiting > 0 || left === 0) return;
        const count = left;
        left = 0;
        put(leftOut(count));
      });
  };
  return {
    write: (text) => {
      if (waiting < MAX_WAITING) put(text);
      else left += 1;
    },
    flush: async () => {
      while (waiting > 0) await last;
    },
  };
}
