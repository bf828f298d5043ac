import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** One request to a gateway. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Each of them ends the exchange at whatever point it is. */
  readonly signals: readonly AbortSignal[];
}

/**
 * Sends one request over a connection of its own, and gives the answer when its head is there. Nothing is redirected or
 * unpacked.
 *
 * Not `fetch`, and not `AbortSignal.any`: what passes an abort on in them may be collected as garbage while the exchange
 * goes on, and then neither a time limit nor Ctrl-C ends it any more.
 *
 * @throws What the connection ends with, or the reason of a signal.
 */
export function sendRequest(url: URL, { body, signals, ...rest }: OutgoingRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    const sent = request(url, { ...rest, agent: false }, resolve);
    const forget: (() => void)[] = [];
    sent.on('error', reject).on('close', () => {
      for (const each of forget) each();
    });
    for (const signal of signals) {
      const end = (): void => {
        reject(signal.reason);
        sent.destroy();
      };
      if (signal.aborted) {
        end();
        return;
      }
      signal.addEventListener('abort', end, { once: true });
      forget.push(() => signal.removeEventListener('abort', end));
    }
    sent.end(body);
  });
}
