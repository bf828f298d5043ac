// #region add
import { createGate, defineTool } from '@toolgate/core';
import { z } from 'zod';

const add = defineTool({
  name: 'add',
  description: 'Adds two integers.',
  input: z.object({ a: z.int(), b: z.int() }),
  execute: ({ a, b }) => a + b,
});

const gate = createGate({ tools: [add] });
const session = await gate.open({ context: {} });
const good = await session.execute({ id: 'call-1', name: 'add', arguments: '{"a":2,"b":3}' });
const twice = await session.execute({ id: 'call-2', name: 'add', arguments: '{"a":1,"a":1000,"b":3}' });
// #endregion
await session.close();

export { good, twice };
