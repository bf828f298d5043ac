import type { Clock } from '@toolgate/core';
import { Agent, type Dispatcher, request } from 'undici';
import type { WebhookConfig } from '../config/gateway-config.ts';
import type { ApprovalRecord, ApprovalStore } from '../ports/approval-store.ts';
import { signMessage } from './sign-message.ts';
import { toExpiringMessage, toWebhookMessage, type WebhookMessage } from './webhook-message.ts';

/** What became of a message that was not delivered. */
export type WebhookLossReason = 'refused' | 'unreachable' | 'overflow' | 'stopped';

/** Settings of {@link startWebhook}. */
export interface WebhookOptions {
  readonly config: WebhookConfig;
  readonly approvals: Pick<ApprovalStore, 'subscribe'>;
  readonly clock: Clock;
  /** Learns of messages that were given up. */
  readonly onLoss?: (reason: WebhookLossReason, message: Pick<WebhookMessage, 'id'>, status?: number) => void;
  /** How long one attempt may take, to the end of its answer, in milliseconds. Default 10,000. */
  readonly attemptMs?: number;
  /** Default: connections of its own. */
  readonly dispatcher?: Dispatcher;
}

/** Sends news about approvals to one address. */
export interface Webhook {
  /** Messages that were given up. */
  readonly lost: number;
  /** Tells that nobody decided about an approval whose time is nearly over. */
  tellExpiring(record: ApprovalRecord): void;
  /** Sends nothing further; what is on its way is broken off, and what was not delivered is lost. */
  close(): Promise<void>;
}

/** Waits before the second and later attempts. */
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000] as const;
const ATTEMPT_MS = 10_000;
/** Messages that may wait; the oldest go first when there are more. */
const MAX_WAITING = 1_000;

/**
 * Starts sending. One message after the other, in the order of the changes; each is tried five times within about three
 * minutes. Messages are not kept over a restart: they are news, and the list of approvals is the truth.
 *
 * A redirect is not followed: only the address of the configuration is ever asked.
 */
export function startWebhook(options: WebhookOptions): Webhook {
  const { attemptMs = ATTEMPT_MS, config, clock, onLoss = () => undefined } = options;
  const dispatcher = options.dispatcher ?? new Agent({ connections: 1, pipelining: 1 });
  const waiting: WebhookMessage[] = [];
  const controller = new AbortController();
  let wake: (() => void) | undefined;
  let breakOff: (() => void) | undefined;
  let lost = 0;
  let working: Promise<void> | undefined;

  const giveUp = (reason: WebhookLossReason, message: WebhookMessage, status?: number): void => {
    lost += 1;
    onLoss(reason, { id: message.id }, status);
  };

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = clock.setTimer(resolve, ms);
      // A message that waits for its next attempt keeps no process alive.
      clock.holdTimer?.(timer, false);
      wake = () => {
        clock.clearTimer(timer);
        resolve();
      };
    });

  async function deliver(message: WebhookMessage): Promise<void> {
    for (const delay of [...RETRY_DELAYS_MS, undefined]) {
      const status = await attempt(message);
      if (status !== undefined && status < 300) return;
      // The receiver understood and does not want it; 408, 425 and 429 ask for another time.
      const refused = status !== undefined && status < 500 && ![408, 425, 429].includes(status);
      if (refused || delay === undefined) return giveUp(refused ? 'refused' : 'unreachable', message, status);
      if (!controller.signal.aborted) await pause(delay);
      if (controller.signal.aborted) return giveUp('stopped', message, status);
    }
  }

  /** @returns The status, or `undefined` when there was no answer. */
  async function attempt({ id, body }: WebhookMessage): Promise<number | undefined> {
    const own = new AbortController();
    breakOff = () => own.abort();
    // A receiver that answers bit by bit would keep all other messages waiting.
    const timer = setTimeout(breakOff, attemptMs).unref();
    let status: number | undefined;
    try {
      const timestamp = Math.floor(clock.now() / 1_000);
      const answer = await request(config.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...signMessage({ id, timestamp, body }, config.secret),
        },
        body,
        dispatcher,
        signal: own.signal,
        headersTimeout: attemptMs,
        bodyTimeout: attemptMs,
      });
      status = answer.statusCode;
      // Whatever it says is not read further than what frees the connection.
      await answer.body.dump({ limit: 16_384 });
    } catch {
      // No answer, or one without an end: what the receiver said by then counts.
    } finally {
      clearTimeout(timer);
    }
    return status;
  }

  async function work(): Promise<void> {
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      await deliver(message);
      if (controller.signal.aborted) return;
    }
    working = undefined;
  }

  const send = (message: WebhookMessage): void => {
    if (controller.signal.aborted) return;
    waiting.push(message);
    const dropped = waiting.length > MAX_WAITING ? waiting.shift() : undefined;
    if (dropped !== undefined) giveUp('overflow', dropped);
    working ??= work();
  };
  const unsubscribe = options.approvals.subscribe((record) =>
    send(toWebhookMessage(record, config.contents)),
  );

  let closing: Promise<void> | undefined;
  async function stop(): Promise<void> {
    unsubscribe();
    controller.abort();
    breakOff?.();
    wake?.();
    await working;
    for (const message of waiting.splice(0)) giveUp('stopped', message);
    if (options.dispatcher === undefined) await dispatcher.close();
  }

  return {
    get lost() {
      return lost;
    },
    tellExpiring: (record) => send(toExpiringMessage(record, config.contents)),
    close() {
      closing ??= stop();
      return closing;
    },
  };
}
