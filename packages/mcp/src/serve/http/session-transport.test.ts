import { expect, test } from 'vitest';
import { INITIALIZE } from '../../../test-support/serve-fixture.ts';
import { sessionTransport } from './session-transport.ts';

/** A transport in a session, with what its other end would hear. */
async function opened() {
  const made = sessionTransport({ sessionIdGenerator: () => 's', keepAliveMs: 0 });
  const { transport, ids } = made;
  const errors: unknown[] = [];
  transport.onerror = (error) => errors.push(error);
  const post = (message: object) =>
    transport.handleRequest(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': 's',
        },
      }),
      { parsedBody: message },
    );
  const own = ids.begin('first');
  const response = await post({ ...JSON.parse(INITIALIZE), id: own });
  await transport.send({ jsonrpc: '2.0', id: own, result: {} });
  expect(await response.text()).toContain('"id":"first"');
  made.end(own);
  return {
    ...made,
    errors,
    ask: async () => {
      const asked = ids.begin(1);
      return { asked, response: await post({ jsonrpc: '2.0', id: asked, method: 'ping' }) };
    },
    /** How many requests the SDK knows a stream for, which nothing that it offers says. */
    remembered: (): unknown =>
      Reflect.get(Reflect.get(transport, '_requestToStreamMapping') as object, 'size'),
  };
}

test('nothing is kept of requests that got no answer, and nobody is told of an error', async () => {
  const { transport, ask, end, remembered, errors } = await opened();
  for (let round = 0; round < 50; round += 1) {
    const { asked, response } = await ask();
    expect(remembered()).toBe(1);
    if (round % 2 === 0) await response.body?.cancel();
    else transport.closeSSEStream(asked);
    end(asked);
    expect(remembered()).toBe(0);
  }
  expect(errors).toEqual([]);
  transport.onerror?.(new Error('told'));
  expect(errors).toHaveLength(1);
});

test('what a request says whose stream has ended goes nowhere, and it can ask nobody', async () => {
  const { transport, ask, end, errors } = await opened();
  const { asked, response } = await ask();
  transport.closeSSEStream(asked);
  end(asked);
  const about = { relatedRequestId: asked };
  const next = await ask();
  await transport.send({ jsonrpc: '2.0', method: 'notifications/progress', params: {} }, about);
  await transport.send({ jsonrpc: '2.0', id: asked, result: { late: true } });
  await expect(
    transport.send({ jsonrpc: '2.0', id: 0, method: 'elicitation/create', params: {} }, about),
  ).rejects.toThrow();
  await transport.send({ jsonrpc: '2.0', id: next.asked, result: { next: true } });
  expect(await response.text()).toBe('');
  expect(await next.response.text()).toMatch(/^event: message\ndata: .*\{"next":true\}\}\n\n$/);
  expect(errors).toEqual([]);
});
