import { expect, test } from 'vitest';
import { fullAccept } from './full-accept.ts';

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
