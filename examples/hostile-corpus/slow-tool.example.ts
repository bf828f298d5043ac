// #region clock
import { createGate, defineTool } from '@toolgate/core';
import { createDeafHandler, createFakeClock } from '@toolgate/testing';

const clock = createFakeClock();
const deaf = createDeafHandler();
const stuck = defineTool({
  name: 'stuck',
  description: 'Never looks at its signal.',
  input: { type: 'object' },
  profile: { timeoutMs: 30_000 },
  execute: deaf.execute,
});

const gate = createGate({ tools: [stuck], clock });
const session = await gate.open({ context: {} });
const running = session.execute({ id: 'call-1', name: 'stuck', arguments: '{}' });
await clock.advance(30_000);
const outcome = await running;
deaf.release();
// #endregion
await session.close();

export { outcome };
