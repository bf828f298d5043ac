import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { rejection } from '../../test-support/mount-fixture.ts';
import { patientFetch } from './patient-fetch.ts';

/** The place of the dispatcher that the platform's `fetch` takes; newer versions have another one beside it. */
function oldest(): symbol {
  const first = Object.getOwnPropertySymbols(globalThis)
    .filter(({ description }) => description?.startsWith('undici.globalDispatcher.'))
    .toSorted((left, right) => String(left).localeCompare(String(right), 'en', { numeric: true }))[0];
  if (first === undefined) throw new Error('The platform has no dispatcher.');
  return first;
}

/** A server that says `hello`, or nothing, and a dispatcher of the application that notes what it is given. */
async function observed(says = true): Promise<{ readonly url: string; readonly seen: readonly object[] }> {
  const server = createServer((_incoming, response) => {
    if (says) response.end('hello');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The platform has a dispatcher from the first request on.
  await fetch('data:,').then((response) => response.text());
  const symbol = oldest();
  const platform = Reflect.get(globalThis, symbol);
  const seen: object[] = [];
  const dispatcher = {
    dispatch: (options: object, handler: unknown) => {
      seen.push(options);
      return platform.dispatch(options, handler);
    },
  };
  Reflect.set(globalThis, symbol, dispatcher);
  onTestFinished(() => {
    Reflect.set(globalThis, symbol, platform);
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
}

const message = { method: 'POST', body: '{}', headers: { accept: 'application/json, text/event-stream' } };

test('a message has no limit of the platform, and goes by what the application put in its place', async () => {
  const { url, seen } = await observed();
  const response = await patientFetch(url, message);
  expect(await response.text()).toBe('hello');
  expect(seen).toMatchObject([{ method: 'POST', headersTimeout: 0, bodyTimeout: 0 }]);
});

test.each([
  ['a stream that waits for news', { headers: { accept: 'text/event-stream' } }],
  ['a login', { method: 'POST', body: 'a=b', headers: { accept: 'application/json' } }],
  ['a request without anything', undefined],
])('%s keeps it', async (_what, init) => {
  const { url, seen } = await observed();
  expect(await (await patientFetch(url, init)).text()).toBe('hello');
  expect(seen).toHaveLength(1);
  expect(seen[0]).not.toMatchObject({ headersTimeout: 0 });
});

test('what a newer library has beside it takes no handlers that it does not know', async () => {
  const { url } = await observed();
  const symbol = Symbol.for('undici.globalDispatcher.99');
  const platform = oldest();
  const dispatch = (options: object, handler: object): boolean => {
    if (!('onRequestStart' in handler)) throw new TypeError('invalid onRequestStart method');
    return Reflect.get(globalThis, platform).dispatch(options, handler);
  };
  Object.defineProperty(globalThis, symbol, { value: { dispatch }, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, symbol));
  expect(await (await patientFetch(url, message)).text()).toBe('hello');
});

test('a signal ends it', async () => {
  const { url } = await observed(false);
  const stop = new AbortController();
  const ended = rejection(Promise.resolve(patientFetch(url, { ...message, signal: stop.signal })));
  stop.abort(new Error('enough'));
  expect(await ended).toMatchObject({ message: 'enough' });
});
