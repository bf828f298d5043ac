import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ask } from '../../test-support/ask.ts';
import {
  createFakeBody,
  createFakeFetch,
  type FetchedRequest,
  type FetchStep,
} from '../../test-support/fake-fetch.ts';
import { PROTOCOLS } from '../call/protocol.ts';
import { codecOf } from '../codec/codecs.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { createHttpModel } from './http-model.ts';
import type { HttpModelConfig } from './http-model-config.ts';
import { redactSecrets, secretForms } from './redact-secrets.ts';

const KEY = 'planted+Secret/0123456789==';
const HEADER = 'planted-header-secret-42';
const FORMS = [KEY, encodeURIComponent(KEY), HEADER];

/** Everything that a log could hold of a value: messages, causes, stacks, hidden members. */
function everything(value: unknown): string {
  const texts = [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value), String(value)];
  for (let error = value; error instanceof Error; error = error.cause) {
    texts.push(error.message, error.stack ?? '', inspect(error, { showHidden: true }));
    for (const name of Object.getOwnPropertyNames(error)) texts.push(String(Reflect.get(error, name)));
  }
  return texts.join('\n');
}

async function outcome(step: FetchStep, config: Partial<HttpModelConfig> = {}): Promise<unknown> {
  const { fetch } = createFakeFetch(step);
  const model = createHttpModel({
    codec: codecOf('openai-chat'),
    baseUrl: 'http://model.test/v1',
    model: 'm',
    apiKey: KEY,
    headers: { 'x-proxy': `Token ${HEADER}` },
    retry: { attempts: 1 },
    fetch,
    ...config,
  });
  const events: ModelEvent[] = [];
  try {
    events.push(...(await ask(model)));
  } catch (error) {
    return error;
  }
  return events.filter(({ kind }) => ['response-error', 'response-end', 'warning'].includes(kind));
}

const echo = (request: FetchedRequest): string =>
  `${JSON.stringify(request.headers)} ${KEY} ${encodeURIComponent(KEY)} ${HEADER} Bearer ${KEY}`;

const ECHOES: readonly (readonly [string, FetchStep])[] = [
  ['an error message', (request) => Response.json({ error: { message: echo(request) } }, { status: 401 })],
  ['an error text', (request) => Response.json({ error: echo(request) }, { status: 500 })],
  ['a list of errors', (request) => Response.json([{ error: { message: echo(request) } }], { status: 400 })],
  ['a page', (request) => new Response(echo(request), { status: 403 })],
  ['a request id', () => new Response('{}', { status: 400, headers: { 'x-request-id': HEADER } })],
  ['a place to go', () => new Response(null, { status: 302, headers: { location: `http://x/?k=${KEY}` } })],
  ['a content type', () => new Response('x', { headers: { 'content-type': `text/${HEADER}` } })],
  ['an answer that is not JSON', (request) => json(`{"${echo(request)}`)],
  ['an answer with a doubled member', () => json(`{"${HEADER}":1,"${HEADER}":2}`)],
  ['an answer that is no answer', () => Response.json({ [HEADER]: KEY, choices: KEY })],
  ['a failure in a stream', () => stream({ error: { message: KEY, type: HEADER, code: HEADER } })],
  ['a finish', () => stream({ choices: [{ index: 0, delta: { content: 'a' }, finish_reason: HEADER }] })],
  ['garbage in a stream', () => sse(`data: {"${HEADER}":${KEY}\n\n`)],
  ['the error of the connection', (request) => fail(echo(request))],
  ['the error of a broken stream', (request) => broken(echo(request))],
];

function json(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/json' } });
}

function sse(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}

function stream(data: unknown): Response {
  return sse(`data: ${JSON.stringify(data)}\n\n`);
}

function failure(message: string): Error {
  const inner = Object.assign(new Error(message), { code: 'ECONNRESET', request: message });
  return Object.assign(new TypeError(message, { cause: inner }), { headers: message });
}

function fail(message: string): never {
  throw failure(message);
}

function broken(message: string): Response {
  const body = createFakeBody();
  body.write('data: {"choices":[{"index":0,"delta":{"content":"ja"}}]}\n\n');
  setImmediate(() => body.break(failure(message)));
  return body.response;
}

describe('a key is in nothing that comes out of a model that echoes it in', () => {
  test.each(ECHOES)('%s', async (_, step) => {
    const result = everything(await outcome(step));
    expect(result).not.toBe('');
    for (const form of FORMS) expect(result).not.toContain(form);
  });

  test('a request that is found to be wrong before it is sent', async () => {
    const result = everything(
      await outcome(() => json('{}'), { strict: true, history: { orphans: 'refuse' } }),
    );
    for (const form of FORMS) expect(result).not.toContain(form);
  });
});

test.each(PROTOCOLS)('no key is in the address or the body of a request that speaks %s', async (protocol) => {
  const { fetch, requests } = createFakeFetch(() => json('{}'));
  const model = createHttpModel({
    codec: codecOf(protocol),
    model: 'm',
    apiKey: KEY,
    retry: { attempts: 1 },
    fetch,
  });
  await ask(model).catch(() => undefined);
  expect(requests[0]?.url).toMatch(/^https:/);
  for (const form of FORMS) expect(`${requests[0]?.url} ${requests[0]?.body}`).not.toContain(form);
  expect(Object.values(requests[0]?.headers ?? {}).join()).toContain(KEY);
});

test('a model shows no key when it is inspected', () => {
  const model = createHttpModel({ codec: codecOf('anthropic'), model: 'm', apiKey: KEY });
  for (const form of FORMS) expect(everything(model)).not.toContain(form);
});

test.each([
  ['a line break', `${KEY}\n`],
  ['a space', `Bearer ${KEY}`],
  ['a character outside of ASCII', `${KEY}ü`],
])('a key with %s is refused without being shown', (_, apiKey) => {
  let error: unknown;
  try {
    createHttpModel({ codec: codecOf('openai-chat'), model: 'm', apiKey });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ code: 'model/options-invalid' });
  expect(everything(error)).not.toContain(KEY);
});

test.each([[{ 'x-key\n': HEADER }], [{ 'x-key': `${HEADER}\r\nx-other: 1` }]])(
  'headers that are none are refused without being shown',
  (headers) => {
    const make = (): unknown => createHttpModel({ codec: codecOf('openai-chat'), model: 'm', headers });
    expect(make).toThrow(expect.objectContaining({ code: 'model/options-invalid' }));
    expect(make).toThrow(expect.objectContaining({ message: expect.not.stringContaining(HEADER) }));
  },
);

test.each(['a key sk-abcdefghijkl of somebody else', 'Bearer abcdefgh.ijkl', 'AIzaSyA1234567890_1234567890'])(
  'what looks like a credential is redacted, whosever it is: %s',
  (text) => {
    expect(redactSecrets(text, [])).toContain('[redacted]');
    expect(redactSecrets(text, [])).not.toMatch(/abcdefgh|AIza/);
  },
);

test.each([
  ['as it is', KEY],
  ['in an address', encodeURIComponent(KEY)],
  ['in JSON text with its slashes escaped', JSON.stringify({ key: KEY }).replaceAll('/', '\\/')],
  ['in JSON within JSON', JSON.stringify(JSON.stringify({ key: `"${KEY}` }))],
  ['in base64', btoa(`user:${KEY}`)],
  ['in base64 for addresses', btoa(`${KEY}:`).replaceAll('+', '-').replaceAll('/', '_')],
  ['in base64 within an address', encodeURIComponent(btoa(`ab${KEY}`))],
])('a key that a provider says back %s is redacted', (_, said) => {
  const clean = redactSecrets(`Refused: ${said}.`, secretForms([`Token ${KEY}`]));
  expect(clean).toContain('[redacted]');
  expect(clean).not.toContain(said);
});

test('plain words and secrets too short to be told from them stay', () => {
  expect(redactSecrets('the quota of the key is used up', secretForms(['key', 'a']))).toBe(
    'the quota of the key is used up',
  );
});
