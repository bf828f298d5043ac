import { expect, test } from 'vitest';
import { fullAccept, takesJsonAlone } from './full-accept.ts';

const BOTH = 'application/json, text/event-stream';

test.each([null, '', ' ', '*/*', 'Text/Event-Stream', 'application/json, text/*;q=0.1', BOTH])(
  'who accepts %j is given every answer',
  (accept) => {
    expect(fullAccept(accept, 'POST')).toBe(BOTH);
    expect(fullAccept(accept, 'GET')).toBe('text/event-stream');
  },
);

test.each(['application/json', 'text/html', 'application/*', 'text/event-stream;q=0', '*/*; q=0.0'])(
  'who accepts %j takes no stream of events',
  (accept) => {
    expect(fullAccept(accept, 'POST')).toBe(accept);
  },
);

test.each([
  [null, false],
  ['', false],
  ['*/*', false],
  [BOTH, false],
  ['text/html', false],
  ['application/json;q=0', false],
  ['application/json', true],
  ['Application/*;q=0.5', true],
  ['application/json, application/mcp+json', true],
  ['application/json, text/event-stream;q=0', true],
  ['application/json, */*;q=0', true],
])('who accepts %j takes JSON alone: %j', (accept, alone) => {
  expect(takesJsonAlone(accept)).toBe(alone);
});
