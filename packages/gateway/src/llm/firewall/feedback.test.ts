import { PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { callsOf, exchange, textOf } from '../../../test-support/ask-raw.ts';
import { PAIRS, testFirewall } from '../../../test-support/gateway-fixture.ts';
import { turnEvents } from '../../../test-support/wire-samples.ts';

const GOOD = { id: 'c1', arguments: '{"path":"a"}' };
const WRONG = { id: 'c2', arguments: '{"path":7}' };

const setup = {
  routes: [
    {
      model: 'm',
      candidates: [{ provider: 'm', model: undefined }],
      firewall: testFirewall({ onRefusal: 'feedback', maxRounds: 2 }),
    },
  ],
};

describe.each(PAIRS)(
  'a refusal that is fed back, for a client of %s from a provider of %s',
  (surface, backend) => {
    test.each([true, false])(
      'is told to the model on a hidden round, and the answer goes on (streamed: %s)',
      async (stream) => {
        const turns = [turnEvents([WRONG]), turnEvents([GOOD])];
        await exchange({ surface, backend, stream, turns, setup }, ({ gateway, provider, response }) => {
          expect(callsOf(response)).toEqual([['find', GOOD.arguments]]);
          expect(textOf(response)).toMatch(/^Looking ü\s*Looking ü$/);
          expect(response.finish).toBe('tool-calls');
          expect(provider.requests).toHaveLength(2);
          const told = provider.requests[1]?.body.toString('utf8') ?? '';
          expect(told).toContain('c2');
          expect(told).toContain('/path');
          expect(gateway.traffic).toMatchObject([
            {
              attempts: 2,
              finish: 'tool-calls',
              usage: { inputTotal: 24, outputTotal: 14 },
            },
          ]);
        });
      },
    );
  },
);

describe('hidden rounds', () => {
  test('end after as many as the route allows, and then a text stands for the call', async () => {
    const turns = [turnEvents([WRONG])];
    await exchange(
      { surface: 'openai-chat', backend: 'anthropic', stream: true, turns, setup },
      (exchanged) => {
        const { provider, response } = exchanged;
        expect(provider.requests).toHaveLength(3);
        expect(callsOf(response)).toEqual([]);
        expect(textOf(response).match(/arguments_rejected/g)).toHaveLength(1);
        expect(response.finish).toBe('stop');
      },
    );
  });

  test('are not begun for a turn with a call that the client gets', async () => {
    const turns = [turnEvents([WRONG, GOOD])];
    await exchange(
      { surface: 'openai-chat', backend: 'openai-chat', stream: true, turns, setup },
      (exchanged) => {
        const { provider, response } = exchanged;
        expect(provider.requests).toHaveLength(1);
        expect(callsOf(response)).toEqual([['find', GOOD.arguments]]);
        expect(textOf(response)).toContain('(arguments_rejected)');
      },
    );
  });

  test.each(PROTOCOLS)('that fail end the answer as failed, on %s', async (protocol) => {
    const broken = turnEvents([]).slice(0, 1);
    const turns = [turnEvents([WRONG]), broken];
    await exchange({ surface: protocol, backend: protocol, stream: true, turns, setup }, ({ response }) => {
      expect(callsOf(response)).toEqual([]);
      expect(response.finish).toBe('error');
    });
  });
});
