import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerOf, withRawProvider } from '../../test-support/ask-raw.ts';
import { testFirewall } from '../../test-support/gateway-fixture.ts';
import { post } from '../../test-support/post.ts';
import { sendJson } from '../../test-support/raw-provider.ts';
import { oddRequest, turnEvents } from '../../test-support/wire-samples.ts';
import type { GatewayOptions } from './create-gateway.ts';

const rejected = (): Promise<never> => Promise.reject(new Error('planted'));

/** A slip for `await`. */
const slip = (): never => {
  throw rejected();
};
/** The same slip where it is waited for. */
const lateSlip = async (): Promise<never> => {
  await Promise.resolve();
  throw rejected();
};
/** A promise that is rejected with one. */
const nested = (): Promise<never> => Promise.reject(Promise.reject(rejected()));

const SLIPS: readonly (readonly [string, () => never])[] = [
  ['throws a promise', slip],
  ['rejects with a promise', lateSlip as () => never],
  ['rejects with a promise that is rejected with one', nested as () => never],
];

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));
const expectQuiet = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled.splice(0)).toEqual([]);
};

const CHAT = 'openai-chat';
const whole = answerOf(CHAT, true, turnEvents([{ id: 'c1', arguments: '{"path":"a"}' }]));

/** A call through a gateway with these options, the reload of its configuration, and its end. */
async function used(
  options: Partial<GatewayOptions>,
  answers = [whole],
): Promise<{ status: number; body: string }> {
  const setup = {
    routes: [{ model: 'm', candidates: [{ provider: 'm', model: undefined }], firewall: testFirewall({}) }],
    options,
  };
  return withRawProvider(CHAT, answers, setup, async ({ gateway, url }) => {
    const answered = await post(`${url}/v1/chat/completions`, oddRequest(CHAT, true), {});
    await gateway.reload().then(undefined, () => undefined);
    return answered;
  });
}

const HOOKS: Readonly<Record<string, (hook: () => never) => Partial<GatewayOptions>>> = {
  'who takes the log': (hook) => ({ log: hook }),
  'who hears of requests': (hook) => ({ onTraffic: hook }),
  'who hears of errors': (hook) => ({ onError: hook, onTraffic: slip }),
  'a source of the configuration': (hook) => ({ source: hook }),
  'an authorizer': (hook) => ({ authorize: hook }),
};

describe.each(Object.entries(HOOKS))('%s', (_name, options) => {
  test.each(SLIPS)('that %s ends no process, and the client is answered', async (_slip, hook) => {
    const { status, body } = await used(options(hook));
    expect(status).toBe(200);
    expect(body).not.toContain('planted');
    await expectQuiet();
  });
});

test('an authorizer that throws a promise permits nothing', async () => {
  const { body } = await used({ authorize: slip });
  expect(body).not.toContain('"path');
});

test('a provider that fails with everything ends no process', async () => {
  const { status } = await used({ log: slip, onTraffic: slip, onError: slip }, [
    sendJson('{"error":{}}', 500),
  ]);
  expect(status).toBeGreaterThanOrEqual(500);
  await expectQuiet();
});
